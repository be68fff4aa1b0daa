import { z } from "zod";
import { entryPoint } from "./entry_point.ts";
import { firstThatLoads } from "./merge.ts";

/**
 * The proxy for model calls where neither `--proxy` nor `--no-proxy` is given; empty for none.
 *
 * ```ts
 * "karotte.default_proxy_url": { acme: "https://models.acme.example" }
 * ```
 */
export const defaultProxyUrl = entryPoint({
  group: "karotte.default_proxy_url",
  summary: "URL of the proxy for model calls.",
  check: z.string().refine(isUrlOrEmpty, "expected an http(s) URL"),
  merge: async (entries) => await firstThatLoads(entries) || undefined,
});

function isUrlOrEmpty(text: string): boolean {
  return text === "" || ["http:", "https:"].includes(URL.parse(text)?.protocol ?? "");
}
