/** Throws if a name, from a side that is not trusted, is none of an entry of a folder. */
export function checkName(name: string): void {
  if (name === "." || name === ".." || /[/\0]/.test(name)) {
    throw new Error(`unsafe name ${JSON.stringify(name)}`);
  }
}
