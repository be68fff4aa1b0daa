import { skippingClock } from "../../src/base/clock.ts";
import { Gate } from "../../src/models/gate.ts";
import type { Model } from "../../src/models/model.ts";
import { retrying } from "../../src/models/retrying.ts";
import type { Turn } from "../../src/protocol/turn.ts";
import { fetchFrom, modelAt, request, user } from "./wire/asking.ts";

/** One model of each wire format. */
export const IDS = [
  "anthropic/claude-opus-4-8",
  "openai/gpt-5.5",
  "gemini/gemini-3-pro-preview",
  "mistral/mistral-large-latest",
  "deepseek/deepseek-chat",
] as const;

export interface Asked {
  readonly turn: Turn;
  /** What was said of tries that failed. */
  readonly told: readonly string[];
}

/** Returns one turn of the model at the server, which is asked again without a wait. */
export async function patientTurn(server: { url: string }, id: string): Promise<Asked> {
  const told: string[] = [];
  const model = patient(await modelAt(server, id, { fetch: fetchFrom(server) }), told);
  return { turn: await model.ask(request([user("go")])), told };
}

export function patient(model: Model, told: string[] = []): Model {
  const clock = skippingClock();
  const onRetry = (line: string) => told.push(line);
  return retrying(model, { gate: new Gate({ clock }), clock, random: () => 0, onRetry });
}
