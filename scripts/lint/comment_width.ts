import { wrapped } from "./wrap_comment.ts";

/** The most columns of a line that has a comment; `deno fmt` keeps code to the same number. */
export const MOST_COLUMNS = 100;

/**
 * Refuses comments with a longer line, unless that holds a word which fills it, as addresses may.
 * `deno lint --fix` wraps those that have their lines to themselves.
 */
export const commentWidth: Deno.lint.Rule = {
  create(context) {
    return {
      Program() {
        const { text } = context.sourceCode;
        for (const part of commentsOf(text, context.sourceCode.getAllComments())) {
          if (!linesOf(text, part).some(isTooLong)) continue;
          const fixed = part.isAlone ? wrapped(part.lines, MOST_COLUMNS) : undefined;
          context.report({
            range: [part.start, part.end],
            message: `A comment's line has more than ${MOST_COLUMNS} columns`,
            ...(fixed === undefined ? { hint: "Say it in fewer words, or on several lines" } : {
              fix: (fixer) => fixer.replaceTextRange([part.start, part.end], fixed),
            }),
          });
        }
      },
    };
  },
};

/** A block comment, or line comments on lines that follow each other. */
interface CommentPart {
  readonly start: number;
  readonly end: number;
  /** Its lines as they stand there, the first one with its indentation. */
  readonly lines: readonly string[];
  /** No code stands on its lines. */
  readonly isAlone: boolean;
}

type Comment = Pick<Deno.lint.LineComment | Deno.lint.BlockComment, "type" | "range">;

function commentsOf(text: string, comments: readonly Comment[]): CommentPart[] {
  const parts: CommentPart[] = [];
  let isLineRun = false;
  for (const { type, range: [from, end] } of comments) {
    const start = text.lastIndexOf("\n", from - 1) + 1;
    const isAlone = text.slice(start, from).trim() === "" && /^\s*?(\n|$)/.test(text.slice(end));
    const part = { start, end, lines: text.slice(start, end).split("\n"), isAlone };
    const last = parts.at(-1);
    if (
      type === "Line" && isLineRun && isAlone && last?.end === start - 1 &&
      indentOf(last.lines[0]) === indentOf(part.lines[0])
    ) {
      parts[parts.length - 1] = {
        ...part,
        start: last.start,
        lines: [...last.lines, ...part.lines],
      };
    } else {
      parts.push(part);
    }
    isLineRun = type === "Line" && isAlone;
  }
  return parts;
}

function indentOf(line = ""): number {
  return line.search(/\S|$/);
}

/** Returns the whole lines on which a comment stands. */
function linesOf(text: string, { start, end }: CommentPart): string[] {
  const after = text.indexOf("\n", end);
  return text.slice(start, after < 0 ? undefined : after).split("\n");
}

function isTooLong(line: string): boolean {
  if (line.length <= MOST_COLUMNS) return false;
  const [, word = ""] = /^\s*(?:\/\/|\/?\*+)?\s*(\S+)\s*(?:\*\/)?$/.exec(line) ?? [];
  return word === "";
}
