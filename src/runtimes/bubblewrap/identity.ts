import { KarotteError } from "../../base/errors.ts";
import type { Run } from "../../base/process.ts";
import { type IdBlock, parseAccounts, parseSubordinateIds, readIfThere } from "./accounts.ts";
import { claimIdRange, RANGE_SIZE } from "./id_range.ts";
import { runOfSystem } from "./system_programs.ts";

/** Which ids of the host stand behind the ids 0 to 65535 of a sandbox. */
export interface Identity extends Disposable {
  /** The host's ids of the sandbox's root. */
  readonly root: { readonly uid: number; readonly gid: number };
  /** True if Karotte runs as root and can write the maps, mount and make control groups itself. */
  readonly privileged: boolean;
  /** Writes the maps of the user namespace that `pid` is in. */
  mapInto(pid: number): Promise<void>;
}

/** The identity that fits the caller. Throws a `KarotteError` that says what a plain user lacks. */
export async function chooseIdentity(runProgram: Run = runOfSystem): Promise<Identity> {
  if (Deno.uid() === 0) return rangeOfNobody();
  return await subordinateIds(runProgram);
}

/**
 * For root: host ids that belong to nobody, so that whatever gets out of a sandbox owns nothing.
 */
function rangeOfNobody(): Identity {
  if (!hasAllIds(readIfThere("/proc/self/uid_map"))) {
    throw new KarotteError(
      "runtime",
      "Cannot start a sandbox as root of a user namespace: it lacks ids of its own for sandboxes",
      { hint: "Run Karotte outside of the rootless container, or as a plain user." },
    );
  }
  const range = claimIdRange();
  const map = `0 ${range.start} ${RANGE_SIZE}`;
  return {
    root: { uid: range.start, gid: range.start },
    privileged: true,
    async mapInto(pid) {
      await Deno.writeTextFile(`/proc/${pid}/uid_map`, map, { create: false });
      await Deno.writeTextFile(`/proc/${pid}/gid_map`, map, { create: false });
    },
    [Symbol.dispose]: () => range[Symbol.dispose](),
  };
}

/** For a plain user: the user is the sandbox's root, the others are the user's subordinate ids. */
async function subordinateIds(runProgram: Run): Promise<Identity> {
  const uid = Deno.uid() ?? -1;
  const gid = Deno.gid() ?? -1;
  const name = await userName(uid, runProgram);
  const users = blockOf(name, uid, "/etc/subuid");
  const groups = blockOf(name, uid, "/etc/subgid");
  const rest = String(RANGE_SIZE - 1);
  const write = async (program: string, pid: number, id: number, block: IdBlock) => {
    const argv = [program, String(pid), "0", String(id), "1", "1", String(block.start), rest];
    const result = await runProgram(argv);
    if (result.code === 0) return;
    const said = new TextDecoder().decode(result.stderr).trim();
    throw new KarotteError("runtime", `Cannot map the ids of user "${name}": ${said}`, {
      hint: "See that newuidmap and newgidmap (package uidmap) are installed setuid root.",
    });
  };
  return {
    root: { uid, gid },
    privileged: false,
    async mapInto(pid) {
      await write("newuidmap", pid, uid, users);
      await write("newgidmap", pid, gid, groups);
    },
    [Symbol.dispose]() {},
  };
}

/** Whether a uid_map is the one of the host's own user namespace. */
export function hasAllIds(map: string): boolean {
  return /^\s*0\s+0\s+4294967295\s*$/.test(map);
}

async function userName(uid: number, runProgram: Run): Promise<string> {
  const local = parseAccounts(readIfThere("/etc/passwd")).find(({ id }) => id === uid);
  if (local !== undefined) return local.name;
  // Accounts of a directory service are not in the file.
  const result = await runProgram(["id", "-un", String(uid)]);
  return result.code === 0 ? new TextDecoder().decode(result.stdout).trim() : String(uid);
}

function blockOf(name: string, uid: number, file: string): IdBlock {
  const blocks = parseSubordinateIds(readIfThere(file));
  const block = blocks.find(({ owner, count }) =>
    (owner === name || owner === String(uid)) && count >= RANGE_SIZE - 1
  );
  if (block !== undefined) return block;
  throw new KarotteError(
    "runtime",
    `Cannot start a sandbox as user "${name}": ${file} grants it no ${RANGE_SIZE - 1} ids`,
    {
      hint: `Run once: sudo usermod ${grant("uids", "/etc/subuid")} ${
        grant("gids", "/etc/subgid")
      } ${name}`,
    },
  );
}

/** The option of `usermod` that grants the first ids after all that are granted already. */
function grant(what: "uids" | "gids", file: string): string {
  const ends = parseSubordinateIds(readIfThere(file)).map(({ start, count }) => start + count);
  const start = Math.max(100_000, ...ends);
  return `--add-sub${what} ${start}-${start + RANGE_SIZE - 1}`;
}
