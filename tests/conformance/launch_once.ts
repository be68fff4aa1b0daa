/**
 * A Karotte host of its own, for tests that kill one, or start one with open descriptors or where
 * it must refuse: launches a sandbox with the script in the arguments, copies its channel to stdout
 * and waits for its end. A refusal is one line and its hint on stderr, and status 1.
 */
import { KarotteError } from "../../src/base/errors.ts";
import { bubblewrap, type BubblewrapOptions } from "../../src/runtimes/bubblewrap.ts";
import type { SandboxSpec } from "../../src/runtimes/runtime.ts";

const [script = "", environmentDirectory = "", privateDirectory = "", directory = "", launcher] =
  Deno.args;

async function main(options: BubblewrapOptions, spec: SandboxSpec): Promise<void> {
  await using sandbox = await bubblewrap(options).launch(spec);
  const log = sandbox.stderr.pipeTo(Deno.stderr.writable, { preventClose: true });
  await sandbox.stdout.pipeTo(Deno.stdout.writable, { preventClose: true });
  await Promise.all([log, sandbox.status]);
}

try {
  await main(
    { directory, ...(launcher === "unshare" || launcher === "bwrap" ? { launcher } : {}) },
    {
      runId: "launch_once",
      content: {
        kind: "files",
        program: { files: [], argv: ["/bin/sh", "-c", script] },
        privateDirectory,
        environmentDirectory,
      },
      hidden: [],
      mounts: [],
      limits: { memoryBytes: 500_000_000, processes: 200, cpus: null },
    },
  );
} catch (error) {
  if (!(error instanceof KarotteError)) throw error;
  console.error(`${error.message}\n${error.hint}`);
  Deno.exitCode = 1;
}
