import { DEFAULT_FILES } from "./default_files.ts";
import { parseTemplate, type Template } from "./template.ts";

/** The templates that come with Karotte. */
export function builtinTemplates(): Template[] {
  return [parseTemplate("default", DEFAULT_FILES)];
}
