import { mapTexts } from "./map_texts.ts";

/**
 * A value of JSON in which U+FFFD stands for each half of a surrogate pair, in names of properties
 * too: UTF-8 has no way to write one, and many readers of JSON refuse its escape. The value itself
 * if there is none.
 */
export function wellFormed<Value>(value: Value): Value {
  return mapTexts(value, (text) => text.toWellFormed());
}
