import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { readSources, repeatedNames } from "./names.ts";

const names = (sources: Record<string, string>) => repeatedNames(new Map(Object.entries(sources)));

Deno.test("repeatedNames() names each type that two modules export, with the modules", () => {
  assertEquals(
    names({
      "src/a.ts": "export interface One { x: 1 }\nexport type Two<T> = T[];",
      "src/b.ts": "export abstract class One {}\nexport\n  type Two = 2; export enum Three {}",
      "src/c.ts": "export class One {} export const enum Three {}",
    }),
    [
      "One: src/a.ts, src/b.ts, src/c.ts: one name for several types",
      "Two: src/a.ts, src/b.ts: one name for several types",
      "Three: src/b.ts, src/c.ts: one name for several types",
    ],
  );
});

Deno.test("repeatedNames() passes over what is not exported, re-exported, or no code", () => {
  assertEquals(
    names({
      "src/a.ts": "export interface One {}\nexport interface One { more: 1 }\ninterface Two {}",
      "src/b.ts": 'interface One {}\nexport type { One as Two } from "./a.ts";',
      "src/c.ts": 'export { type One } from "./a.ts"; export type * from "./a.ts";',
      "src/d.ts": "const text = `\nexport interface One {}\n`; // export interface One {}",
      "src/e.ts": "export interface Two {}\nexport const One = 1;\nexport function type() {}",
    }),
    [],
  );
});

Deno.test("no two modules of src export types of one name", async () => {
  const sources = await readSources(join(import.meta.dirname ?? ".", ".."));
  assertEquals(sources.has("src/sdk/task.ts"), true);
  assertEquals(repeatedNames(sources), []);
});
