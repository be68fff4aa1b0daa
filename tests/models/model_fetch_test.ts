import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { KarotteError } from "../../src/base/errors.ts";
import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { failureOf } from "../../src/models/failure_of.ts";
import {
  AnswerTooLongError,
  modelFetch,
  type ModelFetchOptions,
} from "../../src/models/model_fetch.ts";
import { rawServer } from "./raw_server.ts";

const TLS = new URL("../fixtures/tls/", import.meta.url);
const AUTHORITY = fromFileUrl(new URL("ca.pem", TLS));
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** `modelFetch` that sees only these variables of the environment. */
function fetchWith(variables: Record<string, string>, options: ModelFetchOptions = {}) {
  return modelFetch({ ...options, variable: (name) => variables[name] });
}

async function tlsServer(answer: string) {
  return Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
    cert: await Deno.readTextFile(new URL("certificate.pem", TLS)),
    key: await Deno.readTextFile(new URL("key.pem", TLS)),
  }, () => new Response(answer));
}

function post(fetched: typeof fetch, url: string, signal?: AbortSignal): Promise<Response> {
  return fetched(url, {
    method: "POST",
    headers: { authorization: "Bearer sk-hidden" },
    body: "{}",
    ...(signal === undefined ? {} : { signal }),
  });
}

Deno.test("modelFetch() takes a connection of its own for each request", async () => {
  const seen: string[] = [];
  {
    await using server = rawServer(async (connection) => {
      seen.push("connected");
      while (await connection.request() !== null) await connection.write(OK);
      seen.push("closed");
    });
    using fetched = fetchWith({});
    for (let turn = 0; turn < 2; turn++) {
      assertEquals(await (await post(fetched, server.url)).text(), "ok");
    }
  }
  assertEquals(seen.toSorted(), ["closed", "closed", "connected", "connected"]);
});

Deno.test("modelFetch() sends a request once, though the server closes after reading it", async () => {
  let requests = 0;
  await using server = rawServer(async (connection) => {
    for (let number = 0;; number++) {
      if (await connection.request() === null) return;
      requests++;
      // The first connection answers once and would be idle then.
      if (number > 0 || requests > 1) return;
      await connection.write(OK);
    }
  });
  using fetched = fetchWith({});
  await (await post(fetched, server.url)).text();
  const error = await assertRejects(() => post(fetched, server.url));
  assertEquals(failureOf(error, { id: "x/y" }).kind, "connection");
  assertEquals(requests, 2);
});

Deno.test("modelFetch() gives up a server that says nothing", async () => {
  await using server = rawServer(async (connection) => {
    await connection.request();
    await connection.request();
  });
  using fetched = fetchWith({}, { silenceMs: 30 });
  const error = await assertRejects(() => post(fetched, server.url), DOMException);
  assertEquals([error.name, error.message], ["TimeoutError", "nothing came for 0.03 s"]);
  assertEquals(failureOf(error, { id: "x/y" }).kind, "timeout");
});

Deno.test("modelFetch() gives up an answer that stops coming", async () => {
  await using server = rawServer(async (connection) => {
    await connection.request();
    await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal");
    await connection.request();
  });
  using fetched = fetchWith({}, { silenceMs: 500 });
  const response = await post(fetched, server.url);
  const error = await assertRejects(() => response.text(), DOMException);
  assertEquals(error.name, "TimeoutError");
});

Deno.test("modelFetch() waits for a slow trickle, but not for ever", async () => {
  await using server = rawServer(async (connection) => {
    await connection.request();
    await connection.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
    for (let byte = 0; byte < 10_000; byte++) {
      await connection.write(".");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  using fetched = fetchWith({}, { silenceMs: 60_000, wholeMs: 100 });
  const response = await post(fetched, server.url);
  const error = await assertRejects(() => response.text(), DOMException);
  assertEquals(error.message, "the answer was not whole after 0.1 s");
});

Deno.test("modelFetch() reads no more than an answer may have", async () => {
  await using server = rawServer(async (connection) => {
    await connection.request();
    await connection.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
    for (let chunk = 0; chunk < 1000; chunk++) await connection.write("x".repeat(100_000));
  });
  using fetched = fetchWith({}, { mostBytes: 1_000_000 });
  const response = await post(fetched, server.url);
  const error = await assertRejects(() => response.text(), AnswerTooLongError);
  assertEquals(failureOf(error, { id: "x/y" }).kind, "request");
});

Deno.test("modelFetch() ends a request, and the body of an answer, with the signal's reason", async () => {
  const reason = new Error("enough");
  await using server = rawServer(async (connection) => {
    const head = await connection.request();
    if (head?.startsWith("POST /body ")) {
      await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal");
    } else controllers[0]!.abort(reason);
    await connection.request();
  });
  const controllers = [new AbortController(), new AbortController()];
  using fetched = fetchWith({});
  const early = post(fetched, `${server.url}/head`, controllers[0]!.signal);
  assertEquals(await assertRejects(() => early), reason);
  const response = await post(fetched, `${server.url}/body`, controllers[1]!.signal);
  const reading = response.text();
  controllers[1]!.abort(reason);
  assertEquals(await assertRejects(() => reading), reason);
});

Deno.test("modelFetch() follows no redirect: the key would go along", async () => {
  const asked: (string | null)[] = [];
  await using elsewhere = rawServer(async (connection) => {
    asked.push(await connection.request());
  });
  await using server = rawServer(async (connection) => {
    await connection.request();
    await connection.write(
      `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${elsewhere.url}/v1\r\ncontent-length: 0\r\n\r\n`,
    );
  });
  using fetched = fetchWith({});
  const response = await post(fetched, server.url);
  await response.body?.cancel();
  assertEquals([response.status, response.headers.get("location")], [307, `${elsewhere.url}/v1`]);
  assertEquals(asked, []);
});

Deno.test("modelFetch() trusts the certificates that a variable names", async () => {
  await using server = await tlsServer("ok");
  const url = `https://127.0.0.1:${server.addr.port}`;
  for (const name of ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "DENO_CERT"]) {
    using fetched = fetchWith({ [name]: AUTHORITY });
    assertEquals(await (await post(fetched, url)).text(), "ok");
  }
  using fetched = fetchWith({ SSL_CERT_FILE: "" });
  const error = await assertRejects(() => post(fetched, url));
  const failure = failureOf(error, { id: "x/y", url });
  assertEquals(failure.kind, "request");
  assertStringIncludes(failure.message, "SSL_CERT_FILE");
});

Deno.test("modelFetch() says which certificates can't be used", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/ca.pem`;
  const refused = () => assertThrows(() => fetchWith({ SSL_CERT_FILE: path }), KarotteError);
  assertStringIncludes(refused().message, `Cannot use certificates "${path}": `);
  await Deno.writeTextFile(path, "");
  assertEquals(refused().message, `Cannot use certificates "${path}": it holds none`);
  await Deno.writeTextFile(
    path,
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
  );
  const error = refused();
  assertEquals([error.code, error.hint?.includes("SSL_CERT_FILE")], ["usage", true]);
});

Deno.test("modelFetch() goes through the proxies of the environment, but not to this machine", async () => {
  const seen: string[] = [];
  await using proxy = rawServer(async (connection) => {
    seen.push((await connection.request())?.split("\r\n")[0] ?? "");
    await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nproxied");
  });
  await using server = rawServer(async (connection) => {
    await connection.request();
    await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ndirect");
  });
  await using secure = await tlsServer("direct");
  const script = fromFileUrl(new URL("proxied_calls.ts", import.meta.url));
  const urls = [
    "http://model.invalid/v1",
    server.url,
    server.url.replace("127.0.0.1", "localhost"),
    "https://model.invalid/v1",
    `https://127.0.0.1:${secure.addr.port}`,
    `https://localhost:${secure.addr.port}`,
  ];
  const { stdout } = await run([Deno.execPath(), "run", "-A", "--no-config", script, ...urls], {
    env: {
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      NO_PROXY: "other.invalid",
      SSL_CERT_FILE: AUTHORITY,
    },
  });
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  // The proxy answers CONNECT as any request, so there is no TLS behind it.
  assertEquals(lines.map((line) => line.split(":")[0]), [
    "proxied",
    "direct",
    "direct",
    "failed",
    "direct",
    "direct",
  ]);
  assertEquals(seen, [
    "POST http://model.invalid/v1 HTTP/1.1",
    "CONNECT model.invalid:443 HTTP/1.1",
  ]);
});
