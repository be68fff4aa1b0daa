import { printLine } from "../base/log.ts";
import { CATALOG, modelSpec } from "../models/catalog/model_spec_of.ts";
import { MODEL_FAMILIES } from "../models/catalog/model_families.ts";
import { isTrainingModel } from "../models/model_id.ts";
import type { ModelSpec } from "../models/model_spec.ts";
import { defineCommand } from "./command.ts";

export const command = defineCommand({
  description: `
Lists models that Karotte knows: how long their responses may be, what they take in, and the
reasoning efforts that karotte run --reasoning-effort takes.

Others run too, as provider/name. Of those nothing is known: responses of 64k tokens are asked for,
no effort can be set but min and max, which change nothing, and runs show no cost.`,
  flags: {
    json: { type: "boolean", default: false, help: "Print JSON, with prices per million tokens." },
  },
  run({ flags }) {
    const models = CATALOG.map(modelSpec);
    if (flags.json) {
      return printLine(JSON.stringify({ models, families: MODEL_FAMILIES }, null, 2));
    }
    for (const model of models) printLine(asText(model));
    printLine("\nand all others of their providers, and of these:");
    for (const { prefix, description } of MODEL_FAMILIES) {
      if (!isTrainingModel(prefix)) printLine(`${prefix}: ${description}`);
    }
  },
});

function asText(spec: ModelSpec): string {
  const context = spec.context_tokens === null ? "not known" : inThousands(spec.context_tokens);
  const efforts = spec.reasoning_effort_levels.join(", ") || "not adjustable";
  const output = inThousands(spec.max_output_tokens);
  return [
    `${spec.model}: ${spec.model_display_name} (${spec.provider_display_name})`,
    `  output ${output}, context ${context}, efforts: ${efforts}`,
  ].join("\n");
}

function inThousands(tokens: number): string {
  return `${Math.round(tokens / 1000)}k`;
}
