import { assertEquals } from "@std/assert";
import { isPrivateGroup, systemIds } from "./accounts.ts";

const passwd = [
  "root:x:0:0::/root:/bin/sh",
  "ann:x:1000:1000::/home/ann:/bin/sh",
  "bob:x:1001:100::/home/bob:/bin/sh",
  "guest:x:1002:1003::/home/guest:/bin/sh",
].join("\n");
const group = "root:x:0:\nusers:x:100:\nann:x:1000:\nteam:x:1003:ann,bob\nlone:x:1004:ann\n";

Deno.test("isPrivateGroup() accepts only a group that has nobody else", () => {
  const ann = { uid: 1000, system: [0], passwd, group };
  assertEquals(isPrivateGroup(1000, ann), true);
  assertEquals(isPrivateGroup(1004, ann), true);
  assertEquals(isPrivateGroup(1003, ann), false, "bob is listed in it");
  assertEquals(isPrivateGroup(100, ann), false, "it is bob's own");
  assertEquals(isPrivateGroup(4242, ann), false, "it may come from elsewhere");
  assertEquals(isPrivateGroup(1000, { ...ann, group: undefined }), false);
  assertEquals(isPrivateGroup(0, { ...ann, uid: 0 }), false, "root's is never private");
});

Deno.test("systemIds() takes the kernel's overflow id for root where it has the root folder", () => {
  assertEquals(systemIds(0, "65534\n"), [0]);
  assertEquals(systemIds(65534, "65534\n"), [0, 65534]);
  assertEquals(systemIds(1000, "65534\n"), [0]);
  assertEquals(systemIds(65534, undefined), [0]);
});
