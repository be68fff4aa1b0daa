import { Gates } from "../../models/gate.ts";
import { modelFetch } from "../../models/http.ts";
import type { CallOptions } from "./run_models.ts";

/** What a command calls models with, until it is disposed. */
export interface Calls extends CallOptions, Disposable {}

/** Throws a usage error for certificates that can't be used. */
export function openCalls({ proxyUrl }: { readonly proxyUrl: string | undefined }): Calls {
  const send = modelFetch();
  return {
    proxyUrl,
    gates: new Gates(),
    fetchFor: () => send,
    env: (name) => Deno.env.get(name),
    [Symbol.dispose]: () => send[Symbol.dispose](),
  };
}
