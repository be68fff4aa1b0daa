import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import { KarotteError } from "../base/errors.ts";
import type { ToolSchema } from "../protocol/tool_schema.ts";
import type { Turn } from "../protocol/turn.ts";
import { callableProvider } from "./callable_provider.ts";
import { modelSpec } from "./catalog/model_spec_of.ts";
import { failureOf } from "./failure_of.ts";
import { gather } from "./gather.ts";
import { PLACEHOLDER_KEY } from "./key_variable.ts";
import type { Model, ModelRequest } from "./model.ts";
import { parseModelId } from "./model_id.ts";
import type { ModelSpec } from "./model_spec.ts";
import { promptOf } from "./prompt.ts";
import type { CallExtras, OpenedModel, Provider } from "./provider.ts";
import { fitToolName, Renaming } from "./renaming.ts";

export interface OpenModelOptions {
  /** Undefined or empty: a provider that needs one is refused, a proxy gets a placeholder. */
  readonly apiKey: string | undefined;
  /** With or without `/v1` and a slash at its end. Undefined: the provider's own API. */
  readonly proxyUrl: string | undefined;
  readonly fetch: typeof fetch;
  /**
   * Served before others, for more money, where the provider has that: always, or (`auto`) once it
   * had no capacity. Absent: never.
   */
  readonly serviceTier?: "priority" | "auto" | undefined;
}

/**
 * The model of that id. Each `ask` is one attempt; what fails is a `ModelFailure`. Throws a usage
 * error for an id that can't be called.
 */
export async function openModel(id: string, options: OpenModelOptions): Promise<Model> {
  const parsed = parseModelId(id);
  const spec = modelSpec(id);
  const proxyRoot = options.proxyUrl?.replace(/\/*$/, "").replace(/\/v1$/, "");
  const provider = callableProvider(parsed, proxyRoot !== undefined);
  const baseUrl = proxyRoot === undefined ? provider.baseUrl : `${proxyRoot}/v1`;
  const opened = await provider.open({
    name: parsed.name,
    spec,
    apiKey: keyFor(id, provider, options),
    baseUrl,
    isProxied: proxyRoot !== undefined,
    fetch: options.fetch,
  });
  return new OneAttempt({ id, baseUrl, opened, provider, spec, serviceTier: options.serviceTier });
}

function keyFor(id: string, provider: Provider, { apiKey, proxyUrl }: OpenModelOptions): string {
  if (apiKey) return apiKey;
  if (proxyUrl !== undefined) return PLACEHOLDER_KEY;
  if (provider.keyVariable === null) return "";
  throw new KarotteError("usage", `Cannot call model "${id}": there is no key`, {
    hint: `set ${provider.keyVariable}`,
  });
}

interface Parts {
  readonly id: string;
  readonly baseUrl: string;
  readonly opened: OpenedModel;
  readonly provider: Provider;
  readonly spec: ModelSpec;
  readonly serviceTier: "priority" | "auto" | undefined;
}

class OneAttempt implements Model {
  readonly id: string;
  readonly #parts: Parts;
  #isPriority: boolean;

  constructor(parts: Parts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#isPriority = parts.serviceTier === "priority" &&
      parts.provider.capacityStatus !== undefined;
  }

  async ask(request: ModelRequest): Promise<Turn> {
    try {
      return this.#withTier(await this.#call(request));
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      const failure = failureOf(error, { id: this.id, url: this.#parts.baseUrl });
      const { capacityStatus } = this.#parts.provider;
      if (this.#parts.serviceTier === "auto" && failure.status === capacityStatus) {
        this.#isPriority = capacityStatus !== undefined;
      }
      throw failure;
    }
  }

  async #call(request: ModelRequest): Promise<Turn> {
    const failed = new AbortController();
    try {
      return await this.#turn(request, AbortSignal.any([request.signal, failed.signal]));
    } catch (error) {
      // A package may throw and leave the answer open: then its exchange would never be over.
      failed.abort();
      throw error;
    }
  }

  async #turn(request: ModelRequest, signal: AbortSignal): Promise<Turn> {
    const { opened, spec } = this.#parts;
    const toolNames = new Renaming(fitToolName);
    const tools = toldTools(request).map((tool) => functionTool(tool, toolNames));
    const extras = opened.options({ ...request, isPriority: this.#isPriority });
    const { stream } = await opened.language.doStream({
      prompt: prompted(request, { opened, toolNames, extras }),
      maxOutputTokens: request.maxOutputTokens ?? spec.max_output_tokens,
      ...(request.temperature !== undefined && spec.supports_sampling_params
        ? { temperature: request.temperature }
        : {}),
      ...(tools.length === 0 ? {} : { tools, toolChoice: { type: "auto" } }),
      ...(extras.headers === undefined ? {} : { headers: extras.headers }),
      ...(extras.providerOptions === undefined ? {} : { providerOptions: extras.providerOptions }),
      abortSignal: signal,
    });
    const calls = request.messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    return await gather(stream, {
      toolNames,
      repairs: spec.tool_call_repairs,
      usedCallIds: new Set(calls.map(({ id }) => id)),
    });
  }

  /** The tier that was asked for, if the provider doesn't tell which one it billed. */
  #withTier(turn: Turn): Turn {
    if (!this.#isPriority || turn.usage === null || turn.usage.service_tier !== null) return turn;
    return { ...turn, usage: { ...turn.usage, service_tier: "priority" } };
  }
}

/**
 * The request's tools. Where there are none, those that a model called all the same: Anthropic
 * refuses a history with calls of tools if no tool is told of.
 */
function toldTools({ tools, messages }: ModelRequest): readonly ToolSchema[] {
  if (tools.length > 0) return tools;
  const called = messages.flatMap(({ tool_calls }) => tool_calls ?? [])
    .map((call) => call.function.name ?? "");
  return [...new Set(called)].filter((name) => name !== "").map((name) => ({
    name,
    description: "There is no such tool.",
    input_schema: { type: "object", properties: {} },
  }));
}

/** The conversation, the last message with its marks. */
function prompted(
  { messages }: ModelRequest,
  { opened, toolNames, extras }: {
    opened: OpenedModel;
    toolNames: Renaming;
    extras: CallExtras;
  },
): LanguageModelV3CallOptions["prompt"] {
  const prompt = promptOf(messages, { rules: opened.rules, toolNames });
  const last = prompt.at(-1);
  if (last !== undefined && extras.lastMessage !== undefined) {
    last.providerOptions = extras.lastMessage;
  }
  return prompt;
}

/** Providers refuse a schema that isn't an object's, or that names no properties. */
function functionTool(tool: ToolSchema, toolNames: Renaming): LanguageModelV3FunctionTool {
  const { $schema: _schema, type: _type, properties, ...schema } = tool.input_schema;
  return {
    type: "function",
    name: toolNames.sent(tool.name),
    ...(tool.description === "" ? {} : { description: tool.description }),
    // A JSON Schema is what tools are told by; the type can't be checked here.
    inputSchema: {
      type: "object",
      properties: properties ?? {},
      ...schema,
    } as LanguageModelV3FunctionTool["inputSchema"],
  };
}
