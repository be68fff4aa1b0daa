import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { fitClaudeCallId, fitMistralCallId, fitToolName, Renaming } from "./renaming.ts";

Deno.test("Renaming keeps names apart and finds them again", () => {
  const names = new Renaming(fitToolName);
  const given = ["bash", "my tool", "my_tool", "my.tool", "", "1st", "日本", "x".repeat(80)];
  const sent = given.map((name) => names.sent(name));
  assertEquals(new Set(sent).size, given.length);
  assertEquals(sent[0], "bash");
  for (const [index, name] of sent.entries()) {
    assertMatch(name, /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    assertEquals(names.sent(given[index]!), name);
    assertEquals(names.original(name), given[index]);
  }
  assertEquals(names.original("never_sent"), "never_sent");
});

Deno.test("Renaming gives no name twice, even one that looks like its own", () => {
  const first = new Renaming(fitToolName).sent("my tool");
  const names = new Renaming(fitToolName);
  assertEquals(names.sent(first), first);
  assertNotEquals(names.sent("my tool"), first);
});

Deno.test("ids are changed only where they don't fit", () => {
  assertEquals(fitClaudeCallId("toolu_01-A", 0), "toolu_01-A");
  assertMatch(fitClaudeCallId("functions.bash:0", 0), /^[a-zA-Z0-9_-]+$/);
  assertEquals(fitMistralCallId("aB3456789", 0), "aB3456789");
  for (const id of ["", "call_1", "aB34567890"]) {
    assertMatch(fitMistralCallId(id, 0), /^[a-zA-Z0-9]{9}$/);
    assert(fitMistralCallId(id, 0) !== fitMistralCallId(id, 1));
  }
});
