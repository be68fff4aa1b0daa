import { assertThrows } from "@std/assert";
import { refuseElsewhere } from "./prepare.ts";

Deno.test("karotte prepare refuses a machine that is no image", () => {
  for (const program of [Deno.execPath(), "/usr/bin/karotte", "/opt/karotte/binary"]) {
    assertThrows(() => refuseElsewhere(program), Error, "it is no image of Karotte");
  }
  refuseElsewhere("/opt/karotte/bin/deno");
});
