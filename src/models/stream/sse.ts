/** A server-sent event. */
export interface SseEvent {
  /** The `event` field; undefined if there was none. */
  readonly name: string | undefined;
  /** The `data` fields, joined by line breaks. */
  readonly data: string;
}

/** A parser of server-sent events that come in pieces of any size. */
export class SseParser {
  /** The pieces of the line that is not over yet. */
  #line: string[] = [];
  #data: string[] = [];
  #name: string | undefined;
  /** True: the last piece ended with a CR, which may be the first half of a line break. */
  #isAfterReturn = false;

  /** Returns the events that end in this piece. */
  feed(text: string): SseEvent[] {
    if (text === "") return [];
    const rest = this.#isAfterReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#isAfterReturn = text.endsWith("\r");
    const lines = rest.split(/\r\n|\n|\r/);
    // What follows the last line break is no line yet.
    const open = lines.pop() ?? "";
    const events = lines.flatMap((line) => this.#endLine(line) ?? []);
    if (open !== "") this.#line.push(open);
    return events;
  }

  /** Returns the event that the end of the text cut off, if it has any data. */
  end(): SseEvent | undefined {
    return this.#endLine("") ?? this.#dispatch();
  }

  #endLine(end: string): SseEvent | undefined {
    const line = this.#line.length === 0 ? end : this.#line.join("") + end;
    this.#line = [];
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    if (field === "event") this.#name = value === "" ? undefined : value;
    return undefined;
  }

  #dispatch(): SseEvent | undefined {
    const event = { name: this.#name, data: this.#data.join("\n") };
    const isEvent = this.#data.length > 0;
    this.#data = [];
    this.#name = undefined;
    return isEvent ? event : undefined;
  }
}
