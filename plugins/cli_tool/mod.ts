/**
 * A command: `karotte scores` lists what the runs of an environment scored.
 *
 *   karotte --with ./plugins/cli_tool/mod.ts scores
 */
import { definePlugin, lazy } from "@karotte/cli/sdk";

export default definePlugin({
  name: "scores",
  entryPoints: {
    // Imported when the command runs: all others start as fast as without it.
    "karotte.cli": { scores: lazy(() => import("./scores.ts"), "scores") },
  },
});
