import { assertEquals, assertThrows } from "@std/assert";
import { parseAsStudent } from "./options.ts";

Deno.test("as-student reads its limits, then the program as it is", () => {
  assertEquals(parseAsStudent(["--", "python3", "--timeout", "3"]), {
    timeoutSeconds: 60,
    memoryBytes: undefined,
    argv: ["python3", "--timeout", "3"],
  });
  assertEquals(parseAsStudent(["--timeout", "0.5", "--memory", "1000000", "--", "--odd"]), {
    timeoutSeconds: 0.5,
    memoryBytes: 1_000_000,
    argv: ["--odd"],
  });
  assertEquals(parseAsStudent(["./solve", "--", "x"]).argv, ["./solve", "--", "x"]);
  for (const args of [[], ["--"], ["--timeout", "3"]]) {
    assertThrows(() => parseAsStudent(args), Error, "none is named");
  }
  const wrong = [["--timeout"], ["--timeout", "0"], ["--timeout", "x"], ["--memory", "1.5"], [
    "-x",
  ]];
  for (const args of wrong) {
    assertThrows(() => parseAsStudent([...args, "--", "true"]), Error, `Cannot use "${args[0]}`);
  }
});
