/** Returns a word as a shell reads it, whatever is in it. */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
