import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { guardsOff } from "./guards_off.ts";

Deno.test("guardsOff() is empty without the variable and takes names once each", () => {
  assertEquals(guardsOff(undefined), []);
  assertEquals(guardsOff(" , "), []);
  assertEquals(guardsOff("kill, links,kill"), ["kill", "links"]);
});

Deno.test("guardsOff() refuses a name that is no guard's", () => {
  assertThrows(() => guardsOff("kill,walls"), KarotteError, 'Cannot do without "walls"');
});
