import { assert, assertEquals } from "@std/assert";
import { explain, parseVersion } from "./requirements.ts";
import { hasAllIds } from "./identity.ts";

Deno.test("parseVersion() reads what bwrap says", () => {
  assertEquals(parseVersion("bubblewrap 0.11.0\n"), "0.11.0");
});

Deno.test("explain() gives the last line that was said, and what to do", () => {
  const cases = [
    ["bwrap: setting up uid map: Permission denied", "apparmor_parser"],
    ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "apparmor_parser"],
    ["unshare: unshare failed: Operation not permitted", "seccomp"],
    ["note\nunshare: unshare failed: No space left on device\n", "max_user_namespaces"],
  ];
  for (const [said = "", hint = ""] of cases) {
    const error = explain(said, new Error("ended"));
    assert(error.message.endsWith(said.trim().split("\n").at(-1) ?? "?"), error.message);
    assert(error.hint?.includes(hint), error.hint);
  }
  assertEquals(explain("", new Error("broken")).message, "Cannot start the sandbox: broken");
});

Deno.test("hasAllIds() tells the host's root from a namespace's", () => {
  assert(hasAllIds("         0          0 4294967295\n"));
  assert(!hasAllIds("         0       1000          1\n"));
  assert(!hasAllIds("0 100000 65536\n65536 0 4294967295\n"));
});
