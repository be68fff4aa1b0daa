import type { TemplateFiles } from "./template.ts";

/** How `default_files.ts` is made again. */
export const GENERATE_COMMAND = "sh scripts/deno run -RW scripts/generate_templates.ts";

/**
 * The TypeScript module that holds a template's files as text, so that they are there in the
 * compiled program and from a registry too, where no template folder is.
 */
export function generatedModule(constantName: string, files: TemplateFiles): string {
  const entries = Object.entries(files).map(([path, content]) =>
    `  ${JSON.stringify(path)}: \`${escapeTemplateLiteral(content)}\`,\n`
  );
  return `// Generated from src/templates/default/ by: ${GENERATE_COMMAND}
// deno-fmt-ignore-file
// deno-lint-ignore-file

export const ${constantName}: Readonly<Record<string, string>> = {
${entries.join("")}};
`;
}

/** Text between backticks; a bare carriage return would be read back as a line feed. */
export function escapeTemplateLiteral(text: string): string {
  return text.replace(/\\|`|\$\{/g, "\\$&").replaceAll("\r", "\\r");
}
