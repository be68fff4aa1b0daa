/**
 * Returns a comment with each paragraph that has a longer line wrapped within the columns;
 * undefined if that takes a person: where it has a line of code, or where a wrapped line would
 * begin like a list or a heading. The lines are those of a JSDoc block, or of line comments, with
 * their indentation.
 */
export function wrapped(lines: readonly string[], columns: number): string | undefined {
  const indent = /^\s*/.exec(lines[0] ?? "")?.[0] ?? "";
  const isBlock = lines[0]?.startsWith(`${indent}/**`) ?? false;
  if (!isBlock && !lines.every((line) => line.trimStart().startsWith("//"))) return undefined;
  const prefix = indent + (isBlock ? " * " : "// ");
  const texts = isBlock ? blockTexts(lines) : lines.map((line) => line.replace(/^\s*\/\/ ?/, ""));
  const width = columns - prefix.length;
  const filled: string[] = [];
  for (const paragraph of paragraphsOf(texts)) {
    const isWide = paragraph.some((text) => text.length > width);
    const lines = isWide && isProse(paragraph) ? fill(paragraph, width) : paragraph;
    if (isWide && (lines === paragraph || lines.slice(1).some(beginsAnew))) return undefined;
    filled.push(...lines);
  }
  const body = filled.map((text) => (prefix + text).trimEnd());
  return isBlock ? [`${indent}/**`, ...body, `${indent} */`].join("\n") : body.join("\n");
}

/** Returns the text of a JSDoc block's lines without the marks around it. */
function blockTexts(lines: readonly string[]): string[] {
  const text = lines.join("\n").trim().replace(/^\/\*\*/, "").replace(/\*\/$/, "");
  const texts = text.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  if (texts[0]?.trim() === "") texts.shift();
  if (texts.at(-1)?.trim() === "") texts.pop();
  return texts.map((line, index) => index === 0 ? line.trimStart() : line);
}

/** Splits at empty lines, which are paragraphs of their own; code between fences is one. */
function paragraphsOf(texts: readonly string[]): string[][] {
  const paragraphs: string[][] = [];
  let isFenced = false;
  let isOpen = false;
  for (const text of texts) {
    const isFence = text.startsWith("```");
    const goesOn = isFenced || (isOpen && text !== "" && !isFence && !/^(-|@)/.test(text));
    if (goesOn) paragraphs.at(-1)?.push(text);
    else paragraphs.push([text]);
    if (isFence) isFenced = !isFenced;
    isOpen = text !== "" && !isFence;
  }
  return paragraphs;
}

function isProse([first = ""]: readonly string[]): boolean {
  return !/^(```|@|\s)/.test(first);
}

/** Tells whether Markdown, or a reader, would take the line for something else than a paragraph. */
function beginsAnew(line: string): boolean {
  return /^\s*([-+*>#@]|\d+\.)/.test(line);
}

function fill(paragraph: readonly string[], width: number): string[] {
  const isItem = paragraph[0]?.startsWith("- ") ?? false;
  const lines: string[] = [];
  for (const word of paragraph.join(" ").split(/ +/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(isItem && lines.length > 0 ? `  ${word}` : word);
    }
  }
  return lines;
}
