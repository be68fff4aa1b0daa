import type { ToolCallRepair } from "./model_spec.ts";

/** Of the template that DeepSeek's models write calls in. */
const SPECIAL_TOKENS = [
  "<｜tool▁calls▁begin｜>",
  "<｜tool▁call▁begin｜>",
  "<｜tool▁sep｜>",
  "<｜tool▁call▁end｜>",
  "<｜tool▁calls▁end｜>",
];

/** A blank alone is no debris: a text may begin with it. */
const DEBRIS_AND_PATH = /^\s*["'`:=,;]["'`:=,;\s]*(\/[^\s"'`]*)["'`]?$/;

type Arguments = Record<string, unknown>;

/**
 * The text of a call's arguments without what its model is known to get wrong; broken JSON stays.
 */
export function repairArguments(text: string, repairs: readonly ToolCallRepair[]): string {
  let repaired = text;
  if (repairs.includes("special_tokens")) {
    for (const token of SPECIAL_TOKENS) repaired = repaired.replaceAll(token, "");
  }
  if (repairs.includes("double_encoding")) repaired = changed(repaired, decodedOnce);
  if (repairs.includes("path_debris")) repaired = changed(repaired, withoutPathDebris);
  return repaired;
}

/** `change` returns undefined where nothing is wrong: then the text stays as it was written. */
function changed(text: string, change: (given: Arguments) => Arguments | undefined): string {
  const given = parsed(text);
  if (typeof given !== "object" || given === null || Array.isArray(given)) return text;
  // It is an object, as was just seen; what its members are is not assumed.
  const better = change(given as Arguments);
  return better === undefined ? text : JSON.stringify(better);
}

/** Only if each text is JSON once more: one that is so by chance may be meant. */
function decodedOnce(given: Arguments): Arguments | undefined {
  const entries = Object.entries(given).map(([name, value]) =>
    [name, typeof value === "string" ? parsed(value) : value] as const
  );
  const texts = Object.keys(given).filter((name) => typeof given[name] === "string");
  const decoded = Object.fromEntries(entries);
  if (texts.length === 0 || !texts.every((name) => typeof decoded[name] === "string")) {
    return undefined;
  }
  return decoded;
}

function withoutPathDebris(given: Arguments): Arguments | undefined {
  const cleaned = Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const path = typeof value === "string" && DEBRIS_AND_PATH.exec(value)?.[1];
      return [name, path || value];
    }),
  );
  return Object.keys(given).some((name) => cleaned[name] !== given[name]) ? cleaned : undefined;
}

/** Undefined if it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
