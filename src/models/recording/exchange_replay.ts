import { KarotteError, messageOf } from "../../base/errors.ts";
import { bytesOf, LineError, readLines } from "../../base/ndjson.ts";
import { ExchangeCounter, exchangeSchema, type RecordedExchange } from "./exchange.ts";

const MOST_LINE_BYTES = 256 * 1024 * 1024;

/** One of the exchanges of a run and role: `number` counts from 1. */
export type ExchangeKey = Pick<RecordedExchange, "run" | "role" | "number">;

/** Bytes of the file. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

/** A recording to replay. */
export class ExchangeReplay {
  readonly path: string;
  /**
   * The proxy that the first exchange went through; null: none; undefined: the file doesn't say.
   */
  readonly proxy: string | null | undefined;
  /** Where each exchange lies: together they may be more than fits into memory. */
  readonly #places: ReadonlyMap<string, Place>;
  readonly counter = new ExchangeCounter();

  private constructor(path: string, { places, proxy }: Contents) {
    this.path = path;
    this.proxy = proxy;
    this.#places = places;
  }

  /**
   * Throws a usage error if it can't be read, or is no recording. Half a line at the end, of a
   * recording that was cut off, is left out.
   */
  static async open(path: string): Promise<ExchangeReplay> {
    try {
      using file = await Deno.open(path);
      return new ExchangeReplay(path, await contentsOf(file));
    } catch (error) {
      throw new KarotteError("usage", `Cannot replay "${path}": ${messageOf(error)}`, {
        hint: "name a file that karotte run --record has written",
        cause: error,
      });
    }
  }

  /** Undefined if it was not recorded. */
  async exchange(key: ExchangeKey): Promise<RecordedExchange | undefined> {
    const place = this.#places.get(keyOf(key));
    if (place === undefined) return undefined;
    using file = await Deno.open(this.path);
    await file.seek(place.offset, Deno.SeekMode.Start);
    const bytes = new Uint8Array(place.length);
    for (let filled = 0; filled < bytes.length;) {
      const count = await file.read(bytes.subarray(filled));
      if (count === null) return undefined;
      filled += count;
    }
    return parse(bytes);
  }
}

interface Contents {
  readonly places: ReadonlyMap<string, Place>;
  readonly proxy: string | null | undefined;
}

async function contentsOf(file: Deno.FsFile): Promise<Contents> {
  const places = new Map<string, Place>();
  let proxy: string | null | undefined;
  let offset = 0;
  try {
    for await (const line of readLines(bytesOf(file), { maxBytes: MOST_LINE_BYTES })) {
      const exchange = parse(line);
      if (places.size === 0) proxy = exchange.proxy;
      places.set(keyOf(exchange), { offset, length: line.length });
      offset += line.length + 1;
    }
  } catch (error) {
    if (!(error instanceof LineError && error.fault === "torn")) {
      throw new Error(`line ${places.size + 1}: ${messageOf(error)}`, { cause: error });
    }
  }
  return { places, proxy };
}

function parse(line: Uint8Array): RecordedExchange {
  const { success, data } = exchangeSchema.safeParse(JSON.parse(new TextDecoder().decode(line)));
  if (!success) throw new Error("it is no exchange with a model");
  return data;
}

function keyOf({ run, role, number }: ExchangeKey): string {
  return `${run} ${role} ${number}`;
}
