/**
 * Returns a value of JSON with every text in it replaced, names of properties included; the value
 * itself if none changes.
 */
export function mapTexts<Value>(value: Value, map: (text: string) => string): Value {
  // The casts hold: only the characters of texts change.
  if (typeof value === "string") return map(value) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, map));
    return items.every((item, index) => item === value[index]) ? value : items as Value;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([name, item]) => [map(name), mapTexts(item, map)] as const);
  const isSame = changed.every(([name, item], index) =>
    name === entries[index]![0] && item === entries[index]![1]
  );
  return isSame ? value : Object.fromEntries(changed) as Value;
}
