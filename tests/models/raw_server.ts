import { writeAll } from "../../src/base/files.ts";

/** What a connection of a raw server is asked; null once the client has gone. */
export interface RawConnection {
  /** Head and body of the next request, as text; null at the end. */
  request(): Promise<string | null>;
  write(text: string): Promise<void>;
  /** Ends it, with a reset if something that was sent was not read. */
  close(): void;
}

export interface RawServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
}

/** A server on 127.0.0.1 that does with each connection what `serve` says, in bytes. */
export function rawServer(serve: (connection: RawConnection) => Promise<void>): RawServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving: Promise<void>[] = [];
  const accepting = (async () => {
    for await (const connection of listener) serving.push(serveOne(connection, serve));
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      await Promise.all(serving);
    },
  };
}

async function serveOne(
  connection: Deno.TcpConn,
  serve: (connection: RawConnection) => Promise<void>,
): Promise<void> {
  let isOpen = true;
  const close = () => {
    if (isOpen) connection.close();
    isOpen = false;
  };
  try {
    await serve({
      request: () => readRequest(connection),
      write: (text) => write(connection, text),
      close,
    });
  } catch (error) {
    // Clients may go at any time.
    if (
      !(error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset)
    ) {
      throw error;
    }
  } finally {
    close();
  }
}

async function readRequest(connection: Deno.TcpConn): Promise<string | null> {
  const buffer = new Uint8Array(64 * 1024);
  let text = "";
  while (!isWhole(text)) {
    const length = await connection.read(buffer);
    if (length === null) return null;
    text += new TextDecoder().decode(buffer.subarray(0, length));
  }
  return text;
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return end >= 0 && text.length >= end + 4 + length;
}

async function write(connection: Deno.TcpConn, text: string): Promise<void> {
  await writeAll(connection, new TextEncoder().encode(text));
}
