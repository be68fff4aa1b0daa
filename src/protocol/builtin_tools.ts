/** Names of the tools that Karotte brings; an environment's tool of the same name replaces one. */
export const BUILTIN_TOOLS = [
  "bash",
  "replace_in_file",
  "view_image_file",
  "view_lines_in_file",
] as const;
