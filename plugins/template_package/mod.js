/**
 * A template package: plain JavaScript, as packages of npm are.
 *
 *   karotte create-env essays --with npm:karotte-word-count --template word-count
 */
import { definePlugin } from "@karotte/cli/sdk";

export default definePlugin({
  name: "word-count",
  entryPoints: {
    // Each folder in it is a template, known by the folder's name.
    "karotte.templates": { "word-count": new URL("./templates/", import.meta.url) },
  },
});
