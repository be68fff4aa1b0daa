import { assertEquals } from "@std/assert";
import { currentOwner } from "../owner.ts";
import { isLeftover } from "./leftovers.ts";

Deno.test("isLeftover() is only what is ours, of these runs, and has a dead owner", () => {
  const labels = (owner: unknown, more: Record<string, string> = {}) => ({
    labels: { "karotte.run_id": "r1", "karotte.owner": JSON.stringify(owner), ...more },
  });
  const here = currentOwner();
  const dead = { ...here, start_time: "1" };
  assertEquals(isLeftover(labels(dead)), true);
  assertEquals(isLeftover(labels({ ...here, boot_id: "earlier" })), true);
  assertEquals(isLeftover(labels(here)), false);
  assertEquals(isLeftover(labels({ ...dead, host: "elsewhere" })), false);
  assertEquals(isLeftover(labels({ pid: 1 })), false);
  assertEquals(isLeftover({ labels: { "karotte.owner": JSON.stringify(dead) } }), false);
  assertEquals(isLeftover(labels(dead), { runIds: ["r1"] }), true);
  assertEquals(isLeftover(labels(dead), { runIds: ["r"] }), false);
  assertEquals(isLeftover(labels(dead, { "karotte.kept": "1" })), false);
  assertEquals(isLeftover(labels(dead, { "karotte.kept": "1" }), { kept: true }), true);
});
