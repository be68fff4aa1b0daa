import { z } from "zod";

/** In the environment's folder: what it was made from, so that an update knows. */
export const MANIFEST_FILE = ".manifest.json";

export const environmentManifestSchema = z.object({
  karotte_version: z.string(),
  /** Ids in order, required ones included. */
  templates: z.array(z.string()),
  /** CLI agents that the image brings. */
  agents: z.array(z.string()).default([]),
  /** Null: written by a version that did not know it. */
  do_not_recreate_if_deleted: z.array(z.string()).nullable().default(null),
  /** Packages that templates came from, as `npm:NAME@VERSION` or `jsr:@SCOPE/NAME@VERSION`. */
  extra_deps: z.array(z.string()).default([]),
});

export type EnvironmentManifest = z.infer<typeof environmentManifestSchema>;

/** The manifest as it is written: JSON, two spaces, a final newline. */
export function formatManifest(manifest: EnvironmentManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
