import { join } from "node:path";
import { z } from "zod";
import { KarotteError } from "../../base/errors.ts";
import { cacheDirectory, ensureOwnDirectory } from "../../cache/cache_directory.ts";
import { digestOf } from "../../cache/digest.ts";

/** The calls that make or enter namespaces. */
const NAMESPACE_CALLS = ["clone", "clone3", "setns", "unshare"];
/** All flags of clone(2) that ask for a namespace. */
const NAMESPACE_FLAGS = 0x7e020000;
const EPERM = 1;
const ENOSYS = 38;

// A profile has more than is looked at here; the rest is kept as it is.
const profileSchema = z.looseObject({
  syscalls: z.array(z.looseObject({
    names: z.array(z.string()),
    includes: z.looseObject({ caps: z.array(z.string()).optional() }).optional(),
  })),
});

/**
 * A seccomp profile of podman with the rule that docker's has: namespaces are for those who have
 * CAP_SYS_ADMIN. Podman lets anybody make a user namespace, in which the student would be root,
 * with all of the kernel that only root reaches.
 */
export function withoutNamespaces(text: string): string {
  const profile = profileSchema.parse(JSON.parse(text));
  const rules = profile.syscalls.flatMap((rule) => {
    if ((rule.includes?.caps ?? []).length > 0) return [rule];
    const names = rule.names.filter((name) => !NAMESPACE_CALLS.includes(name));
    return names.length === 0 ? [] : [{ ...rule, names }];
  });
  const administrator = { caps: ["CAP_SYS_ADMIN"] };
  const plain = { index: 0, value: NAMESPACE_FLAGS, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" };
  const refuse = { action: "SCMP_ACT_ERRNO", args: [], includes: {}, excludes: administrator };
  const allow = { action: "SCMP_ACT_ALLOW", args: [], includes: {}, excludes: administrator };
  return JSON.stringify({
    ...profile,
    syscalls: [
      ...rules,
      { ...allow, names: NAMESPACE_CALLS, includes: administrator, excludes: {} },
      { ...allow, names: ["clone"], args: [plain] },
      // Its flags can't be seen by a filter; without it the C library takes clone.
      { ...refuse, names: ["clone3"], errnoRet: ENOSYS, errno: "ENOSYS" },
      { ...refuse, names: ["setns", "unshare"], errnoRet: EPERM, errno: "EPERM" },
    ],
  });
}

/** The path of such a profile, made of the one at `original`; kept in the cache by its content. */
export async function stricterProfile(
  original: string,
  directory = join(cacheDirectory(), "seccomp"),
): Promise<string> {
  let text: string;
  try {
    text = withoutNamespaces(await Deno.readTextFile(original));
  } catch (cause) {
    throw new KarotteError(
      "runtime",
      `Cannot use podman: its seccomp profile "${original}" can't be read`,
      { hint: "Install podman's package of common files again.", cause },
    );
  }
  await ensureOwnDirectory(directory);
  const path = join(directory, `${digestOf(text).slice(0, 16)}.json`);
  const fresh = `${path}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(fresh, text, { mode: 0o600 });
  // In one step: another run may read it at this moment.
  await Deno.rename(fresh, path);
  return path;
}
