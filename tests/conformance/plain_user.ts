import { fileURLToPath } from "node:url";
import { run, type RunResult } from "../../src/base/process.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** An id that is nobody's, and what stands in the account files for it. */
const ID = "54321";
const LINES = {
  passwd: `karotte_test:x:${ID}:${ID}::/mnt/home:/bin/sh`,
  group: `karotte_test:x:${ID}:`,
  subuid: "$granted:700000:65536",
  subgid: "$granted:700000:65536",
};

/**
 * Becomes a plain user with subordinate ids in a mount namespace of its own: the account files and
 * all folders that the user needs are laid over the host's there, so the host stays as it is.
 */
const SCRIPT = `set -e
root=$1 deno=$2 cache=$3 granted=$4; shift 4
mount -t tmpfs -o mode=0755 none /mnt
mkdir /mnt/root /mnt/cache /mnt/home /mnt/tmp /mnt/etc
: > /mnt/deno
mount --rbind -- "$root" /mnt/root
mount --bind -- "$deno" /mnt/deno
mount --bind -- "$cache" /mnt/cache
chown ${ID}:${ID} /mnt/home /mnt/tmp
${
  Object.entries(LINES).map(([name, line]) =>
    `{ cat /etc/${name}; echo "${line}"; } > /mnt/etc/${name}\n` +
    `mount --bind /mnt/etc/${name} /etc/${name}\n`
  ).join("")
}cd /mnt/root
exec setpriv --reuid ${ID} --regid ${ID} --clear-groups -- env -i PATH="$PATH" HOME=/mnt/home \\
  TMPDIR=/mnt/tmp DENO_DIR=/mnt/cache NO_COLOR=1 "$@"`;

/** Why no plain user can be made up here; undefined: one can. */
export async function whyNoPlainUser(): Promise<string | undefined> {
  if (Deno.uid() !== 0) return "only root can become another user";
  for (const name of Object.keys(LINES)) {
    const info = await Deno.stat(`/etc/${name}`).catch(() => undefined);
    if (info === undefined) return `/etc/${name} is missing`;
  }
  const trial = await run(["unshare", "--mount", "--", "newuidmap"]);
  return trial.code === 127 || trial.code === 1 && !isUsage(trial)
    ? "mount namespaces or newuidmap (package uidmap) are missing"
    : undefined;
}

function isUsage(result: RunResult): boolean {
  return new TextDecoder().decode(result.stderr).startsWith("usage");
}

export interface PlainUserOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** False: the user has no subordinate ids. */
  readonly subordinateIds?: boolean;
}

/** Runs `deno` in this repository's root, as a plain user. */
export async function denoAsPlainUser(
  args: readonly string[],
  { variables = {}, subordinateIds = true }: PlainUserOptions = {},
): Promise<RunResult> {
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return await run([
    ...["unshare", "--mount", "--propagation", "private", "--", "sh", "-c", SCRIPT, "sh"],
    ...[ROOT, Deno.execPath(), await cacheFolder(), subordinateIds ? "karotte_test" : "other"],
    ...[...settings, "/mnt/deno", ...args],
  ]);
}

/** Where this repository's root and the user's own folder are for a plain user. */
export const PLAIN_ROOT = "/mnt/root";
export const PLAIN_HOME = "/mnt/home";

async function cacheFolder(): Promise<string> {
  const result = await run([Deno.execPath(), "info", "--json"], { env: { NO_COLOR: "1" } });
  // Deno's own description of itself.
  const info = JSON.parse(new TextDecoder().decode(result.stdout)) as { denoDir: string };
  return info.denoDir;
}
