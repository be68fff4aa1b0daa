/** An object of JSON, whose members may be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object and no list, else undefined. */
export function objectOf(value: unknown): JsonObject | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // It is an object, as was just seen; what its members are is not assumed.
  return isObject ? value as JsonObject : undefined;
}

/** Returns the members of these names that the object has. */
export function picked(object: JsonObject, names: readonly string[]): JsonObject {
  const there = names.filter((name) => object[name] !== undefined);
  return Object.fromEntries(there.map((name) => [name, object[name]]));
}

/** Returns the members but for those of these names. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Returns arguments that were sent as an object as its text; others as they are. */
export function argumentsText(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
