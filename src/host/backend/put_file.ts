import { openRegular } from "./artifact_files.ts";
import { Deadline } from "./deadline.ts";
import { textOf } from "./exchange.ts";
import { connectionFault, PassingFailure } from "./failure.ts";

export interface PutOptions {
  /**
   * Milliseconds in which nothing moves. Making the connection counts as well: `fetch` does not say
   * when it is made.
   */
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

/**
 * Puts a file, compressed on its way, at a presigned URL. Throws a `PassingFailure` if that may go
 * better next time. No error holds the URL: it is as good as a key.
 */
export async function putFile(path: string, url: string, options: PutOptions): Promise<void> {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new Error("the backend gave an address that is neither http nor https");
  }
  using file = await openRegular(path);
  using deadline = new Deadline(options.stallMs, {
    signal: options.signal,
    reason: () => new PassingFailure(`nothing moved for ${Math.ceil(options.stallMs / 1000)} s`),
  });
  const content = new Content(file, deadline);
  // A body that was read can't be sent again, so no connection that may have been closed meanwhile.
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const answer = await put(target, { content, client, signal: deadline.signal });
  if (answer.status >= 200 && answer.status < 300) return;
  const told = `the storage answered ${answer.status}${errorCode(answer.text)}`;
  throw answer.status >= 500 ? new PassingFailure(told) : new Error(told);
}

async function put(
  url: URL,
  { content, client, signal }: { content: Content; client: Deno.HttpClient; signal: AbortSignal },
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      method: "PUT",
      headers: { "content-encoding": "gzip" },
      body: content.compressed(),
      redirect: "manual",
      signal,
      client,
    });
    return { status: response.status, text: await textOf(response) };
  } catch (error) {
    if (content.fault !== undefined) throw content.fault;
    signal.throwIfAborted();
    throw new PassingFailure(connectionFault(error));
  }
}

/** The word for the error in an S3 answer; the rest of it tells what the URL was signed with. */
function errorCode(text: string): string {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
  return code === undefined ? "" : ` (${code})`;
}

const CHUNK_BYTES = 1024 * 1024;

class Content {
  readonly #file: Deno.FsFile;
  readonly #deadline: Deadline;
  /** Why the file could not be read. */
  fault: unknown;

  constructor(file: Deno.FsFile, deadline: Deadline) {
    this.#file = file;
    this.#deadline = deadline;
  }

  /** At zlib's level 6, which `CompressionStream` has for its own. */
  compressed(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return ReadableStream.from(this.#chunks()).pipeThrough(new CompressionStream("gzip"));
  }

  async *#chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    // What nobody waits for any more is not read: the file may be closed.
    while (!this.#deadline.signal.aborted) {
      const buffer = new Uint8Array(CHUNK_BYTES);
      const count = await this.#read(buffer);
      if (count === null) return;
      this.#deadline.restart();
      yield buffer.subarray(0, count);
    }
  }

  async #read(buffer: Uint8Array): Promise<number | null> {
    try {
      return await this.#file.read(buffer);
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }
}
