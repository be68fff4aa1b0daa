import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  ChannelError,
  type RpcHandlers,
  RpcPeer,
  RpcRefusal,
  type RpcTransport,
} from "./rpc_peer.ts";

const NONE: RpcHandlers = { requests: {}, notifications: {} };

/** Two transports over in-memory pipes that hold one chunk each, so back-pressure is real. */
function pipes(): [RpcTransport, RpcTransport] {
  const there = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const back = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  return [transport(back.readable, there.writable), transport(there.readable, back.writable)];
}

function transport(
  readable: ReadableStream<Uint8Array<ArrayBuffer>>,
  writable: WritableStream<Uint8Array<ArrayBuffer>>,
): RpcTransport {
  const reader = readable.getReader();
  const writer = writable.getWriter();
  return {
    read: async () => (await reader.read()).value ?? null,
    write: (bytes) => writer.write(bytes),
    close: () => writer.close(),
  };
}

/** A peer and the raw other end, to break rules with. */
function peerAndRaw(handlers: RpcHandlers = NONE) {
  const [ours, theirs] = pipes();
  const raw = (text: string) => theirs.write(new TextEncoder().encode(text));
  return { peer: new RpcPeer(ours, handlers), raw, end: () => theirs.close(), read: theirs.read };
}

function pair(left: RpcHandlers, right: RpcHandlers): [RpcPeer, RpcPeer] {
  const [a, b] = pipes();
  return [new RpcPeer(a, left), new RpcPeer(b, right)];
}

Deno.test("requests go both ways at once and get their own answers", async () => {
  const add = (params: unknown) => (params as number[]).reduce((sum, n) => sum + n, 0);
  const handlers: RpcHandlers = { requests: { add }, notifications: {} };
  const [a, b] = pair(handlers, handlers);
  const answers = await Promise.all([
    a.request("add", [1, 2]),
    b.request("add", [3, 4]),
    a.request("add", [5]),
  ]);
  assertEquals(answers, [3, 7, 5]);
  await a.close();
  await b.closed;
});

Deno.test("a handler's error is a refusal and the channel goes on", async () => {
  const [a] = pair(NONE, {
    requests: {
      no: () => {
        throw new Error("not today");
      },
      yes: () => "yes",
    },
    notifications: {},
  });
  await assertRejects(() => a.request("no", null), RpcRefusal, "not today");
  assertEquals(await a.request("yes", null), "yes");
});

Deno.test("a cancelled request rejects at once and aborts the other side's handler", async () => {
  const aborted = Promise.withResolvers<void>();
  const [a] = pair(NONE, {
    requests: {
      wait: (_params, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => (aborted.resolve(), resolve(null)))
        ),
    },
    notifications: {},
  });
  const controller = new AbortController();
  const answer = a.request("wait", null, controller.signal);
  setTimeout(() => controller.abort(new Error("enough")), 5);
  await assertRejects(() => answer, Error, "enough");
  await aborted.promise;
});

Deno.test("a line that is not JSON ends the channel with an error that shows it", async () => {
  const { peer, raw } = peerAndRaw();
  const pending = peer.request("anything", null);
  await raw('{"half": \u001b[2J\n');
  const error = await assertRejects(() => peer.closed, ChannelError, "not JSON");
  assertStringIncludes(error.message, '{"half": ?[2J');
  assertEquals(error.kind, "violation");
  await assertRejects(() => pending, ChannelError, "not JSON");
});

Deno.test("an unknown method ends the channel with an error that names it", async () => {
  for (const line of ['"id":1,"method":"constructor"', '"method":"toString"']) {
    const { peer, raw } = peerAndRaw();
    await raw(`{"jsonrpc":"2.0",${line}}\n`);
    const name = line.split('"').at(-2)!;
    await assertRejects(() => peer.closed, ChannelError, name);
  }
});

Deno.test("an oversized line ends the channel with an error that shows its start", async () => {
  const { peer, raw } = peerAndRaw();
  const sending = raw(`forged ${"x".repeat(9 * 1024 * 1024)}`);
  const { kind } = await assertRejects(() => peer.closed, ChannelError, 'starting "forged');
  assertEquals(kind, "violation");
  await sending.catch(() => {}); // nobody reads the rest of it
});

Deno.test("a line cut off by the end of the stream is an error, a clean end is not", async () => {
  const broken = peerAndRaw();
  await broken.raw('{"jsonrpc"');
  await broken.end();
  const torn = await assertRejects(() => broken.peer.closed, ChannelError, "cut off");
  assertEquals(torn.kind, "lost");
  const clean = peerAndRaw();
  const pending = clean.peer.request("anything", null);
  await clean.end();
  await clean.peer.closed;
  const closed = await assertRejects(() => pending, ChannelError, "closed");
  assertEquals(closed.kind, "closed");
});

Deno.test("a stream that can't be read or written is a channel that was lost", async () => {
  const broken = () => Promise.reject(new Error("broken pipe"));
  const never = () => new Promise<never>(() => {});
  const close = () => Promise.resolve();
  const transports: RpcTransport[] = [
    { read: broken, write: never, close },
    { read: never, write: broken, close },
  ];
  for (const transport of transports) {
    const peer = new RpcPeer(transport, NONE);
    peer.notify("x", null).catch(() => {}); // `closed` tells why it fails
    const { kind } = await assertRejects(() => peer.closed, ChannelError, "broken pipe");
    assertEquals(kind, "lost");
  }
});

Deno.test("params of 20 MB arrive whole, and small messages pass between their chunks", async () => {
  const order: string[] = [];
  const [a] = pair(NONE, {
    requests: {
      big: (params) => (order.push("big"), (params as string).length),
      small: () => (order.push("small"), null),
    },
    notifications: {},
  });
  const big = a.request("big", "é".repeat(10_000_000));
  await a.request("small", null);
  assertEquals(await big, 10_000_000);
  assertEquals(order, ["small", "big"]);
});

Deno.test("faults 3.5: a result of 20 MB arrives whole, and small ones pass between its chunks", async () => {
  const order: string[] = [];
  const [a] = pair(NONE, {
    requests: { big: () => ({ text: "é".repeat(10_000_000) }), small: () => null },
    notifications: {},
  });
  const big = a.request("big", null).then((result) => (order.push("big"), result));
  const small = a.request("small", null).then(() => order.push("small"));
  assertEquals((await big as { text: string }).text.length, 10_000_000);
  await small;
  assertEquals(order, ["small", "big"]);
});

Deno.test("faults 3.5: more big results than the other side takes at once all arrive", async () => {
  const handlers: RpcHandlers = {
    requests: { big: (params) => String(params).repeat(1_200_000) },
    notifications: {},
  };
  const [a] = pair(NONE, handlers);
  const letters = Array.from({ length: 66 }, (_, index) => String.fromCharCode(65 + index % 26));
  const answers = await Promise.all(letters.map((letter) => a.request("big", letter)));
  assertEquals(answers.map((answer) => String(answer)[1_199_999]), letters);
});

Deno.test("faults 3.5: a big result that nobody waits for any more is dropped", async () => {
  const [a] = pair(NONE, {
    requests: { big: () => "x".repeat(1_200_000), small: () => "ok" },
    notifications: {},
  });
  for (let call = 0; call < 66; call++) {
    const controller = new AbortController();
    const { answer } = await a.send("big", null, controller.signal);
    controller.abort(new Error("enough"));
    await assertRejects(() => answer, Error, "enough");
  }
  assertEquals(String(await a.request("big", null)).length, 1_200_000);
  assertEquals(await a.request("small", null), "ok");
});

Deno.test("a result whose blob never came ends the channel", async () => {
  const { peer, raw } = peerAndRaw();
  const pending = peer.request("anything", null);
  await raw('{"jsonrpc":"2.0","id":1,"result":{"$blob":"b1"}}\n');
  await assertRejects(() => peer.closed, ChannelError, 'there is no blob "b1"');
  await assertRejects(() => pending, ChannelError);
});

Deno.test("a blob arrives chunk by chunk, and a refused one is dropped by the receiver", async () => {
  const events: string[] = [];
  const [a] = pair(NONE, {
    ...NONE,
    openBlob: (about) => {
      let size = 0;
      return {
        write: (chunk) => {
          size += chunk.length;
          if (about === "small" && size > 300_000) throw new Error("too much");
        },
        close: () => void events.push(`closed ${size}`),
        abort: () => void events.push("aborted"),
      };
    },
  });
  async function* megabyte() {
    for (let i = 0; i < 4; i++) yield await Promise.resolve(new Uint8Array(250_000));
  }
  await a.sendBlob("large", megabyte());
  await assertRejects(() => a.sendBlob("small", megabyte()), RpcRefusal, "too much");
  assertEquals(events, ["closed 1000000", "aborted"]);
});

Deno.test("writing waits for a reader that is slow", async () => {
  const [ours, theirs] = pipes();
  const peer = new RpcPeer(ours, NONE);
  let written = 0;
  const all = Array.from({ length: 50 }, () => peer.notify("x", null).then(() => written++));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const before = written;
  for (let i = 0; i < 50; i++) await theirs.read();
  await Promise.all(all);
  assertEquals([before < 50, written], [true, 50]);
});
