/**
 * Settings of a team that belong to no environment: which variables are credentials, and how long a
 * run may get.
 *
 *   karotte run --task NAME --with ./plugins/secrets.ts --env ACME_TOKEN
 */
import { definePlugin, type EvaluationRunConfig } from "@karotte/cli/sdk";

const TURN_LIMIT = 100;

export default definePlugin({
  name: "secrets",
  entryPoints: {
    // Judges and hooks get them, no process of the student does, and transcripts show none.
    "karotte.harness_secret_env": { secrets: ["ACME_TOKEN", "ACME_PASSWORD"] },
    "karotte.run_config_preprocessors": { secrets: preprocess },
  },
});

/** Refuses a key that is written into the config; bounds runs that have no limit. */
function preprocess(config: EvaluationRunConfig): EvaluationRunConfig {
  const key = config.model_api_key;
  if (key !== null && !key.startsWith("$")) {
    throw new Error("a key in a run config ends up in git; write $NAME of a variable instead");
  }
  return { ...config, turn_limit: config.turn_limit ?? TURN_LIMIT };
}
