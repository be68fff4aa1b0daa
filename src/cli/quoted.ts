import { shellWord } from "../base/shell_word.ts";

/** Returns a word as somebody would type it into a shell: plain, where that is the same. */
export function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : shellWord(word);
}
