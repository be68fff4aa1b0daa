import type { z } from "zod";

/**
 * Returns what a schema has against `input`, one text a field: `turn_limit: expected an integer,
 * found "ten"`. Values of fields whose name ends with `key` are never shown.
 */
export function problems(error: z.ZodError, input: unknown): string[] {
  const byField = new Map<string, string>();
  for (const issue of error.issues) {
    const field = fieldName(issue.path);
    if (byField.has(field)) continue;
    const found = valueAt(input, issue.path);
    const state = found === undefined ? "missing" : `found ${described(found, field)}`;
    const text = `${expected(issue)}, ${state}`;
    byField.set(field, field === "" ? text : `${field}: ${text}`);
  }
  return [...byField.values()];
}

/** Writes a path like `step_time_limit_seconds[1]` or `mcp_server_config.port`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.map((key) => typeof key === "number" ? `[${key}]` : `.${String(key)}`).join("")
    .replace(/^\./, "");
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "invalid_value") {
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
  }
  return issue.message;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "an integer",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );
}

function described(value: unknown, field: string): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  // A function, a symbol or a big integer has no JSON.
  if (/key$/i.test(field) || !isJson(value)) return `a ${typeof value}`;
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}..."`;
}

function isJson(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
