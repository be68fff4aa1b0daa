import { KarotteError } from "../base/errors.ts";
import { PRIVATE_DIRECTORY } from "../protocol/layout.ts";
import { checkDescription } from "./check_description.ts";
import { checkPermissions } from "./check_permissions.ts";
import { findCredentials } from "./credentials.ts";
import { describe } from "./describe.ts";
import { checkLoaderVariables } from "./loader_variables.ts";

/**
 * `karotte check-image`: the last step of a build. Throws if the image would give the student what
 * it must not have, or if its environment can't be run; returns what to tell. Ends the process's
 * rights, since it loads the environment.
 */
export async function checkImage(): Promise<string[]> {
  await checkLoaderVariables((name) => Deno.env.get(name));
  await checkPermissions();
  const credentials = await findCredentials();
  if (credentials.length > 0) {
    throw new KarotteError("usage", `There are credentials in the image:\n${list(credentials)}`, {
      hint: "Remove them in the step that needs them, or use a build secret instead.",
    });
  }
  const description = await describe(PRIVATE_DIRECTORY, { inImage: true });
  const tools = checkDescription(description);
  const warnings = description.warnings.map((warning) => `warning: ${warning}`);
  return [
    ...warnings,
    `tasks: ${description.tasks.length}`,
    `tools: ${tools.join(", ")}`,
    "image ok",
  ];
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join("\n");
}
