import { KarotteError } from "../base/errors.ts";

/** A model's id, taken apart. */
export interface ModelId {
  /** As the run config names it. */
  readonly id: string;
  /** What stands before the first slash; `anthropic` for a bare Claude; else empty. */
  readonly provider: string;
  /** What the provider calls the model; it may hold slashes: `moonshotai/Kimi-K3`. */
  readonly name: string;
}

/** Between the provider and the name: call the model by the Responses API. */
export const RESPONSES_INFIX = "responses/";

/**
 * Takes an id of litellm's form apart: `provider/name`, or a bare `claude-...`. Any other bare name
 * has no provider: only a proxy can say whose it is. Throws a usage error for what is no id.
 */
export function parseModelId(id: string): ModelId {
  const state = faultOf(id);
  if (state === undefined) return splitModelId(id);
  throw new KarotteError("usage", `Cannot use model "${id}": ${state}`, {
    hint: "a model is named provider/name, like anthropic/claude-opus-5; see karotte models list",
  });
}

/** The same for any text, however odd. */
export function splitModelId(id: string): ModelId {
  const slash = id.indexOf("/");
  if (slash < 0) return { id, provider: id.startsWith("claude") ? "anthropic" : "", name: id };
  const provider = id.slice(0, slash);
  const name = id.slice(slash + 1);
  const isPlain = !takesResponsesInfix(provider) || !name.startsWith(RESPONSES_INFIX);
  return { id, provider, name: isPlain ? name : name.slice(RESPONSES_INFIX.length) };
}

/** Whether ids of the provider may ask for the Responses API, as `openai/responses/gpt-5` does. */
export function takesResponsesInfix(provider: string): boolean {
  return provider === "openai" || provider === "meta";
}

/** Whether a model is one in training, which a backend plays: it has no provider and no key. */
export function isTrainingModel(id: string): boolean {
  return id === "__karotte_special__/training" || id.startsWith("pt/");
}

function faultOf(id: string): string | undefined {
  // deno-lint-ignore no-control-regex -- they are what is looked for
  if (/[\s\u0000-\u001f\u007f]/.test(id)) return "it has a blank or a control character";
  if (id.split("/").includes("")) return id === "" ? "it is empty" : "a part of it is empty";
  return undefined;
}
