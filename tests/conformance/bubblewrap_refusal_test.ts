import { assert, assertEquals } from "@std/assert";
import { run, type RunResult } from "../../src/base/process.ts";
import { bubblewrapTest, launchOnce, RUN, runtime } from "./bubblewrap_here.ts";
import { lab } from "./lab.ts";
import { denoAsPlainUser, PLAIN_HOME, PLAIN_ROOT, whyNoPlainUser } from "./plain_user.ts";

const asRoot = Deno.uid() === 0 ? undefined : "these cases are made by root";

/** Starts a Karotte host in a user namespace of its own where it looks like root. */
async function launchIn(namespace: string): Promise<RunResult> {
  await using bench = await lab(runtime());
  const enter = ["unshare", "--user", "--map-root-user", "bash", "-c", namespace, "bash"];
  return await run([...enter, ...launchOnce("echo ran >&4", bench)]);
}

function assertRefused(result: RunResult, why: string, remedy: string): void {
  const [out, err] = [result.stdout, result.stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals([out, result.code], ["", 1], err);
  assert(err?.includes(why) && err.includes(remedy), err);
}

bubblewrapTest("refuses where the kernel allows no user namespaces", async () => {
  const result = await launchIn('echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"');
  assertRefused(result, "allows no user namespaces", "sysctl user.max_user_namespaces");
}, asRoot);

bubblewrapTest("refuses as root of a user namespace, which has no ids for sandboxes", async () => {
  assertRefused(await launchIn('exec "$@"'), "root of a user namespace", "rootless container");
}, asRoot);

bubblewrapTest("refuses to start for a user without subordinate ids", async () => {
  const program = `${PLAIN_ROOT}/tests/conformance/launch_once.ts`;
  const folders = [PLAIN_HOME, PLAIN_HOME, PLAIN_HOME];
  const result = await denoAsPlainUser([...RUN, program, "echo ran >&4", ...folders], {
    subordinateIds: false,
  });
  assertRefused(result, "/etc/subuid grants it no", "usermod --add-subuids");
}, asRoot ?? await whyNoPlainUser());
