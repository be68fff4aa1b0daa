import { RpcPeer } from "../../src/base/rpc_peer.ts";
import { VERSION } from "../../src/base/version.ts";
import type { Sandbox, SandboxStatus } from "../../src/runtimes/runtime.ts";

/** What plays the harness: it has the far ends of the sandbox's streams. */
export interface FakeHarness {
  readonly peer: RpcPeer;
  raw(text: string): Promise<void>;
  exit(status: SandboxStatus): void;
  /** The sandbox turns out never to have started. */
  fail(error: Error): void;
  /** From now on nothing that comes in is answered. */
  fallSilent(): void;
  readonly started: Promise<void>;
  readonly stopped: Promise<string>;
}

/**
 * A sandbox without a process: its harness answers `start` with `version`, and does what a test
 * says.
 */
export function fakeSandbox(version = VERSION): { sandbox: Sandbox; far: FakeHarness } {
  type Bytes = Uint8Array<ArrayBuffer>;
  const toHarness = new TransformStream<Bytes, Bytes>();
  const toHost = new TransformStream<Bytes, Bytes>(undefined, { highWaterMark: 16 });
  const status = Promise.withResolvers<SandboxStatus>();
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<string>();
  const reader = toHarness.readable.getReader();
  const writer = toHost.writable.getWriter();
  let silent = false;
  const peer = new RpcPeer({
    read: async () => {
      const { value } = await reader.read();
      return silent ? await new Promise<never>(() => {}) : value ?? null;
    },
    write: (bytes) => writer.write(bytes),
    close: () => writer.close(),
  }, {
    requests: { start: () => (started.resolve(), { version }), ping: () => null },
    notifications: { stop: (params) => stopped.resolve((params as { reason: string }).reason) },
  });
  return {
    far: {
      peer,
      raw: (text) => writer.write(new TextEncoder().encode(text)),
      exit: (ended) => status.resolve(ended),
      fail: (error) => status.reject(error),
      fallSilent: () => void (silent = true),
      started: started.promise,
      stopped: stopped.promise,
    },
    sandbox: {
      stdin: toHarness.writable,
      stdout: toHost.readable,
      stderr: new ReadableStream(),
      status: status.promise,
      shell: { name: "", asRoot: [] },
      kill: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  };
}
