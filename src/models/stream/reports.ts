import { objectOf } from "./members.ts";

/**
 * Tells whether a value of JSON is an error that a provider reports, in any of their forms. `name`
 * is the event's, if it has one.
 */
export function isReport(value: unknown, name?: string): boolean {
  if (name === "error") return true;
  const object = objectOf(value);
  if (object === undefined) return false;
  if (isError(object.error) || object.type === "error" || object.object === "error") return true;
  return object.type === "response.failed" && isError(objectOf(object.response)?.error);
}

/** Tells an error from the `"error": null` that some providers say in each event. */
function isError(value: unknown): boolean {
  return objectOf(value) !== undefined || (typeof value === "string" && value !== "");
}
