/** House rules as a plugin for `deno lint`; what it takes several files to see is in `names.ts`. */
import { commentWidth } from "./lint/comment_width.ts";
import { onePlace } from "./lint/one_place.ts";
import { variablesName } from "./lint/variables_name.ts";

const plugin: Deno.lint.Plugin = {
  name: "karotte",
  rules: {
    "one-place": onePlace,
    "variables-name": variablesName,
    "comment-width": commentWidth,
  },
};
export default plugin;
