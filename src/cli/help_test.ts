import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { commandHelp } from "./help.ts";

const LONG = "word ".repeat(60).trim();

Deno.test("commandHelp() wraps at 100 columns and keeps indented lines", () => {
  const help = commandHelp("karotte x", { summary: "" }, {
    description: `\n${LONG}\n\n  ${LONG}`,
    flags: { aRatherLongNameForAFlagOfOurs: { type: "string", value: "VALUE", help: LONG } },
  });
  const lines = help.split("\n");
  assert(lines.includes(`  ${LONG}`));
  assertEquals(lines.filter((line) => line.length > 100).length, 1);
  assertStringIncludes(help, "\n  --a-rather-long-name-for-a-flag-of-ours VALUE\n    ");
});

Deno.test("commandHelp() shows shorts, defaults, opposites and what is optional", () => {
  const help = commandHelp("karotte x", { summary: "" }, {
    description: "X.",
    flags: {
      ui: { type: "boolean", default: true, help: "Plain output." },
      nParallel: { type: "integer", value: "N", short: "n", default: 1, help: "Runs." },
      internal: { type: "boolean", hidden: true, help: "Ours." },
    },
    positionals: {
      file: { value: "FILE", help: "It." },
      more: { value: "MORE", rest: true, help: "Them." },
    },
  });
  assertStringIncludes(help, "Usage: karotte x FILE [MORE...] [FLAGS]\n");
  assertStringIncludes(help, "  --no-ui             Plain output.\n");
  assertStringIncludes(help, "  -n, --n-parallel N  Runs. (default: 1)\n");
  assertEquals(help.includes("internal"), false);
});
