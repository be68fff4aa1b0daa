import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { runVariables } from "./variables.ts";

Deno.test("--env gives values or takes the caller's, and secrets are known by name", () => {
  Deno.env.set("KAROTTE_TEST_TOKEN", "from the caller");
  try {
    const specs = ["A=1", "B=x=y", "EMPTY=", "KAROTTE_TEST_TOKEN"];
    assertEquals(runVariables(specs, ["KAROTTE_TEST_TOKEN", "NOT_GIVEN"]), {
      values: { A: "1", B: "x=y", EMPTY: "", KAROTTE_TEST_TOKEN: "from the caller" },
      withheld: ["KAROTTE_TEST_TOKEN", "NOT_GIVEN"],
      secrets: ["from the caller"],
    });
  } finally {
    Deno.env.delete("KAROTTE_TEST_TOKEN");
  }
});

Deno.test("--env refuses bad names, missing values and what steers root's programs", () => {
  for (const spec of ["", "=1", "1A=2", "A-B=1", "KAROTTE_NOT_SET_ANYWHERE_KEY"]) {
    assertThrows(() => runVariables([spec], []), KarotteError, "Cannot use --env");
  }
  for (const spec of ["LD_PRELOAD=x", "PATH=x", "DENO_DIR=x", "KAROTTE_WORKDIR=x", "BASH_ENV=x"]) {
    assertThrows(() => runVariables([spec], []), KarotteError, "sets it itself");
  }
});
