/** What a flag's key is called on the command line: `turnLimit` -> `turn-limit`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
