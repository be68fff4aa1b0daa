/**
 * A value of JSON in which U+FFFD stands for each half of a surrogate pair, in names of properties
 * too: UTF-8 has no way to write one, and many readers of JSON refuse its escape. The value itself
 * if there is none.
 */
export function wellFormed<Value>(value: Value): Value {
  // The casts hold: only the characters of texts change.
  if (typeof value === "string") return value.toWellFormed() as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => wellFormed(item));
    return items.every((item, index) => item === value[index]) ? value : items as Value;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([name, item]) => [wellFormed(name), wellFormed(item)] as const);
  const isSame = changed.every(([name, item], index) =>
    name === entries[index]![0] && item === entries[index]![1]
  );
  return isSame ? value : Object.fromEntries(changed) as Value;
}
