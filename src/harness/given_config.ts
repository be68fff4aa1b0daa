import { DESCRIBE_WITH_CONFIG } from "../schemas/described_config.ts";
import { type EvaluationRunConfig, runConfigSchema } from "../schemas/run_config.ts";

/**
 * Reads the config that `karotte describe` is given on stdin, where a flag says that it is; to the
 * end, so that the environment's code finds nothing there.
 */
export async function givenConfig(
  flags: readonly string[],
): Promise<{ config?: EvaluationRunConfig }> {
  if (!flags.includes(DESCRIBE_WITH_CONFIG)) return {};
  const text = await new Response(Deno.stdin.readable).text();
  return { config: runConfigSchema.parse(JSON.parse(text)) };
}
