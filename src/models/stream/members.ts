/** An object of JSON, whose members may be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value, if it is an object and no list. */
export function objectOf(value: unknown): JsonObject | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // It is an object, as was just seen; what its members are is not assumed.
  return isObject ? value as JsonObject : undefined;
}

/** The members of these names that the object has. */
export function picked(object: JsonObject, names: readonly string[]): JsonObject {
  const there = names.filter((name) => object[name] !== undefined);
  return Object.fromEntries(there.map((name) => [name, object[name]]));
}

/** The members but for those of these names. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Arguments that were sent as an object, as the text that stands for it; else what they are. */
export function argumentsText(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
