import { z } from "zod";
import { mapTexts } from "../../base/map_texts.ts";
import { schemaOf } from "../../schemas/schema_of.ts";

/** Whose calls they are. */
export interface ExchangeCaller {
  /** Counts the runs of a command, from 0. */
  readonly runIndex: number;
  readonly runId: string;
  readonly role: "student" | "judge";
  /** Takes secrets out of a text. */
  redact(text: string): string;
}

/** One request to a model's API and what came of it: a line of a recording. */
export interface RecordedExchange {
  run: number;
  role: "student" | "judge";
  /** Counts the exchanges of that run and role, from 1. */
  number: number;
  /** The proxy that it went through; null: none. Absent in older recordings. */
  proxy?: string | null | undefined;
  request: ExchangeRequest;
  /** Null if there was none. */
  response: ExchangeResponse | null;
  /** Why there was no answer, or not a whole one; null if there was. */
  failure: { name: string; message: string } | null;
}

/** A request, without secrets and without headers: keys are in there. */
export interface ExchangeRequest {
  method: string;
  /** Path and query. */
  path: string;
  /** The JSON that was sent, or a text that is none. */
  body: unknown;
}

/** An answer, without secrets. */
export interface ExchangeResponse {
  status: number;
  /** `content-type`, and what tells how long to wait. */
  headers: Record<string, string>;
  /** As it came. */
  body: string;
}

/** Checks a line of a recording. */
export const exchangeSchema: z.ZodType<RecordedExchange> = schemaOf<RecordedExchange>()(z.object({
  run: z.number().int(),
  role: z.enum(["student", "judge"]),
  number: z.number().int(),
  proxy: z.string().refine((url) => URL.canParse(url)).nullable().optional(),
  request: z.object({ method: z.string(), path: z.string(), body: z.unknown() }),
  response: z.object({
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }).nullable(),
  failure: z.object({ name: z.string(), message: z.string() }).nullable(),
}));

/** Numbers the exchanges of each run and role as they begin, from 1. */
export class ExchangeCounter {
  readonly #begun = new Map<string, number>();

  next({ runIndex, role }: Pick<ExchangeCaller, "runIndex" | "role">): number {
    const key = `${runIndex} ${role}`;
    const number = (this.#begun.get(key) ?? 0) + 1;
    this.#begun.set(key, number);
    return number;
  }
}

/** Stands for the run's id, which is another one in each run. */
const RUN_ID = "{run_id}";
/** Ids that were made up are longer; a shorter one may be a part of anything. */
const SHORTEST_RUN_ID = 8;

/** A text without secrets and without the run's id. */
export function cleanText(text: string, { runId, redact }: ExchangeCaller): string {
  const redacted = redact(text);
  return runId.length < SHORTEST_RUN_ID ? redacted : redacted.replaceAll(runId, RUN_ID);
}

/** A recorded text, with the id of this run. */
export function withRunId(text: string, { runId }: ExchangeCaller): string {
  return text.replaceAll(RUN_ID, runId);
}

/** What the student is told of its time is another number in each run. */
const TIME_REMAINING = /\bTime remaining: \d+ seconds/g;

/** The request as it is recorded, and compared with the recorded one. */
export async function describeRequest(
  request: Request,
  caller: ExchangeCaller,
): Promise<ExchangeRequest> {
  const url = new URL(request.url);
  const body = cleanJson(
    await request.text(),
    (text) => cleanText(text, caller).replace(TIME_REMAINING, "Time remaining: {n} seconds"),
  );
  return {
    method: request.method,
    path: cleanText(url.pathname + url.search, caller),
    body: withoutCacheKey(body),
  };
}

/** The key of a prompt cache is the run's id, however short. */
function withoutCacheKey(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("prompt_cache_key" in body)) return body;
  return { ...body, prompt_cache_key: RUN_ID };
}

function cleanJson(text: string, clean: (text: string) => string): unknown {
  try {
    return mapTexts(JSON.parse(text), clean);
  } catch (error) {
    if (error instanceof SyntaxError) return clean(text);
    throw error;
  }
}
