import { join } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { MANIFEST_NAME, userManifest } from "../plugins/find_manifests.ts";
import type { CommandContext } from "./context.ts";
import type { Flag } from "./declaration.ts";

/** The flags of commands that change a manifest. */
export const manifestFlags = {
  plugins: { type: "string", value: "FILE", help: "The manifest (default: karotte.plugins.json)." },
  user: { type: "boolean", help: "The manifest of your own: for all environments." },
} as const satisfies Readonly<Record<string, Flag>>;

/** Returns the path of the manifest to change; it need not exist. */
export function manifestToChange(
  flags: { readonly plugins: string | undefined; readonly user: boolean | undefined },
  { directory, plugins }: CommandContext,
): string {
  const named = flags.plugins ?? plugins.manifest;
  if (named !== undefined && flags.user) {
    throw new KarotteError("usage", "Cannot use --user with --plugins: it names a manifest too");
  }
  if (named !== undefined) return named;
  if (!flags.user) return join(directory, MANIFEST_NAME);
  const own = userManifest();
  if (own !== undefined) return own;
  throw new KarotteError("usage", "Cannot tell where your own manifest is: HOME is not set", {
    hint: "name it with --plugins FILE",
  });
}
