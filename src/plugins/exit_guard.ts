/**
 * Keeps plugins from ending the program while it needs them only for a value; `main.ts` keeps the
 * real function for itself. Reflect, since the property can be replaced though its type says no.
 */
const realExit: unknown = Reflect.get(Deno, "exit");

/** Makes `Deno.exit` throw from now on, and so `process.exit`, which calls it. */
export function refuseExit(): void {
  Reflect.set(Deno, "exit", () => {
    throw new Error("a plugin must not end the program");
  });
}

/** Lets `Deno.exit` end the program again: a plugin's own command may end as it likes. */
export function allowExit(): void {
  Reflect.set(Deno, "exit", realExit);
}
