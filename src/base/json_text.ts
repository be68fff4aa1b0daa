import type { Node, ParseError } from "jsonc-parser";

/** A place in a text. Line and column count from 1, columns in UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** The first thing in a text that is not JSON. */
export interface JsonFailure extends TextPlace {
  /** Counts UTF-16 units from the start of the text. */
  readonly offset: number;
  /** For example `comma expected`. */
  readonly reason: string;
}

/** The outcome of reading a text: what it says, or why it says nothing. */
export type JsonText<Value> =
  | { readonly value: Value; readonly failure?: undefined }
  | { readonly failure: JsonFailure };

/** Reads JSON: no comments, no comma after the last item, no byte order mark. */
export async function parseJson(text: string): Promise<JsonText<unknown>> {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    // V8's own messages have a position for some errors only.
    const read = await parseWith(
      (library, errors) =>
        library.parse(text, errors, { disallowComments: true, allowTrailingComma: false }),
      text,
    );
    if (read.failure === undefined) throw error;
    return read;
  }
}

/** Reads JSON with comments and commas after the last item. */
export async function parseJsonc(text: string): Promise<JsonText<unknown>> {
  return await parseWith((library, errors) => library.parse(text, errors, JSONC), text);
}

/** Reads the same as `parseJsonc` as a tree that knows where everything stands. */
export async function parseJsoncTree(text: string): Promise<JsonText<Node | undefined>> {
  return await parseWith((library, errors) => library.parseTree(text, errors, JSONC), text);
}

/** Returns line and column of an offset; CRLF, LF and CR each end a line. */
export function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

const JSONC = { allowTrailingComma: true, disallowComments: false };

async function parseWith<Value>(
  parse: (library: typeof import("jsonc-parser"), errors: ParseError[]) => Value,
  text: string,
): Promise<JsonText<Value>> {
  const library = await import("jsonc-parser");
  const errors: ParseError[] = [];
  let value: Value;
  try {
    value = parse(library, errors);
  } catch (error) {
    // The library calls itself for each bracket.
    if (!(error instanceof RangeError)) throw error;
    return { failure: { ...placeAt(text, 0), offset: 0, reason: "nested too deeply" } };
  }
  const [first] = errors;
  if (first === undefined) return { value };
  const { offset, error } = first;
  return { failure: { ...placeAt(text, offset), offset, reason: wordsOf(library, error) } };
}

/** The library names its codes like `CommaExpected`. */
function wordsOf(library: typeof import("jsonc-parser"), code: ParseError["error"]): string {
  return library.printParseErrorCode(code).replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
