import { KarotteError, messageOf } from "../../base/errors.ts";
import { removeIfThere } from "../../base/temp_dir.ts";
import { writeAll } from "../../base/files.ts";
import { ExchangeCounter, type RecordedExchange } from "./exchange.ts";

/**
 * The file of a recording: a line of JSON for each exchange with a model, in the order of their
 * end.
 */
export class ExchangeLog implements AsyncDisposable {
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly counter = new ExchangeCounter();
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(path: string, file: Deno.FsFile) {
    this.path = path;
    this.#file = file;
  }

  /** Makes the file, for its owner alone. Throws a usage error if it is there, or can't be made. */
  static async create(path: string): Promise<ExchangeLog> {
    try {
      return new ExchangeLog(
        path,
        await Deno.open(path, { createNew: true, write: true, mode: 0o600 }),
      );
    } catch (error) {
      const isThere = error instanceof Deno.errors.AlreadyExists;
      const state = isThere ? "the file is there already" : messageOf(error);
      throw new KarotteError("usage", `Cannot record to "${path}": ${state}`, {
        hint: isThere ? "name a new file, or remove that one" : "name a file that can be made",
        cause: error,
      });
    }
  }

  /** Resolves when the exchange is on disk. Throws a `KarotteError` if it can't be written. */
  append(exchange: RecordedExchange): Promise<void> {
    const bytes = new TextEncoder().encode(`${JSON.stringify(exchange)}\n`);
    // After a failure nothing more is written: it would follow half a line.
    const written = this.#lastWrite.then(() => this.#write(bytes));
    this.#lastWrite = written;
    return written;
  }

  /** Closes the file when all is written; one that holds nothing would only block the next try. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.#lastWrite]);
    const { size } = await this.#file.stat();
    this.#file.close();
    if (size === 0) await removeIfThere(this.path);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      await writeAll(this.#file, bytes);
      await this.#file.syncData();
    } catch (error) {
      throw new KarotteError("run", `Cannot record to "${this.path}": ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}
