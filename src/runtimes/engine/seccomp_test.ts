import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { stricterProfile, withoutNamespaces } from "./seccomp.ts";

const ALLOW = { action: "SCMP_ACT_ALLOW", args: [], excludes: {} };
const PROFILE = {
  defaultAction: "SCMP_ACT_ERRNO",
  syscalls: [
    { ...ALLOW, names: ["read", "clone", "unshare", "clone3"], includes: {} },
    { ...ALLOW, names: ["setns"], includes: {} },
    { ...ALLOW, names: ["setns", "bpf"], includes: { caps: ["CAP_SYS_ADMIN"] } },
  ],
};

Deno.test("withoutNamespaces() takes the calls from everybody but administrators", () => {
  const { defaultAction, syscalls } = JSON.parse(withoutNamespaces(JSON.stringify(PROFILE)));
  assertEquals(defaultAction, "SCMP_ACT_ERRNO");
  assertEquals(syscalls.slice(0, 2), [
    { ...ALLOW, names: ["read"], includes: {} },
    PROFILE.syscalls[2],
  ]);
  type Rule = { names: string[]; action: string; args: unknown[]; includes: { caps?: string[] } };
  const free = syscalls.filter(({ includes, args, action }: Rule) =>
    action === "SCMP_ACT_ALLOW" && includes.caps === undefined && args.length === 0
  );
  assertEquals(free.flatMap(({ names }: Rule) => names), ["read"]);
});

Deno.test("stricterProfile() keeps one file for one profile, and names one that can't be read", async () => {
  await using dir = await tempDir();
  const original = `${dir.path}/profile é.json`;
  await Deno.writeTextFile(original, JSON.stringify(PROFILE));
  const first = await stricterProfile(original, `${dir.path}/cache`);
  assertEquals(await stricterProfile(original, `${dir.path}/cache`), first);
  assertEquals([...Deno.readDirSync(`${dir.path}/cache`)].length, 1);
  await Deno.writeTextFile(original, "{}");
  await assertRejects(() => stricterProfile(original, dir.path), KarotteError, original);
});
