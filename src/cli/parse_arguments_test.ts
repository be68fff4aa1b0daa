import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import type { CommandDeclaration } from "./declaration.ts";
import { parseArguments } from "./parse_arguments.ts";

const declaration: CommandDeclaration = {
  description: "",
  flags: {
    config: { type: "string", value: "FILE", short: "c", help: "" },
    runtime: { type: "string", value: "NAME", default: "auto", help: "" },
    mount: { type: "string", value: "SPEC", repeatable: true, help: "" },
    nParallel: { type: "integer", value: "N", short: "n", min: 1, default: 1, help: "" },
    temperature: { type: "number", value: "T", help: "" },
    ui: { type: "boolean", default: true, help: "" },
    fakeModel: { type: "boolean", help: "" },
  },
  positionals: {
    first: { value: "FIRST", help: "" },
    second: { value: "SECOND", optional: true, help: "" },
  },
};

const parse = (...args: string[]) => parseArguments(args, declaration, "karotte x");

function refusal(...args: string[]): string {
  const error = assertThrows(() => parse(...args), KarotteError);
  assertEquals(error.code, "usage");
  return error.message;
}

Deno.test("parseArguments() gives what is absent its default, or undefined", () => {
  const { flags, positionals, directory } = parse("a");
  assertEquals(flags, {
    config: undefined,
    runtime: "auto",
    mount: [],
    nParallel: 1,
    temperature: undefined,
    ui: true,
    fakeModel: undefined,
  });
  assertEquals([positionals, directory], [{ first: "a", second: undefined }, undefined]);
});

Deno.test("parseArguments() takes values after a space, after = and after a letter", () => {
  for (const args of [["--config", "x", "-n", "4"], ["--config=x", "-n4"], ["-c", "x", "-n=4"]]) {
    const { flags } = parse("a", ...args);
    assertEquals([flags.config, flags.nParallel], ["x", 4]);
  }
});

Deno.test("parseArguments() keeps text as it is", () => {
  const json = '{"a": -1,\n "b": "--x"}';
  const { flags, positionals } = parse("007", "--config", json, "--runtime=a=b=c", "1e3");
  assertEquals([flags.config, flags.runtime], [json, "a=b=c"]);
  assertEquals(positionals, { first: "007", second: "1e3" });
});

Deno.test("parseArguments() gathers repeated values", () => {
  assertEquals(parse("a", "--mount", "x", "--mount=y").flags.mount, ["x", "y"]);
});

Deno.test("parseArguments() knows --x and --no-x, and the last one counts", () => {
  const { flags } = parse("--fake-model", "a", "--no-ui");
  assertEquals([flags.fakeModel, flags.ui], [true, false]);
  assertEquals(parse("a", "--fake-model", "--no-fake-model").flags.fakeModel, false);
});

Deno.test("parseArguments() ends flags at --", () => {
  assertEquals((parse("a", "--", "--config")).positionals.second, "--config");
});

Deno.test("parseArguments() gives the rest to a positional that takes it", () => {
  const rest = { description: "", positionals: { all: { value: "ARG", rest: true, help: "" } } };
  assertEquals((parseArguments(["a", "b"], rest, "x")).positionals.all, ["a", "b"]);
  assertEquals((parseArguments([], rest, "x")).positionals.all, []);
});

Deno.test("parseArguments() says what does not fit", () => {
  assertEquals(refusal(), "Cannot run karotte x: FIRST is missing");
  assertEquals(refusal("a", "b", "c"), 'Cannot run karotte x: "c" is one argument too many');
  assertEquals(refusal("a", "--nope"), 'Cannot use "--nope": no such flag');
  assertEquals(refusal("a", "--no-config"), 'Cannot use "--no-config": no such flag');
  assertEquals(refusal("a", "-z"), 'Cannot use "-z": no such flag');
  assertEquals(refusal("a", "--__proto__", "x"), 'Cannot use "--__proto__": no such flag');
  for (const args of [["--config"], ["--config="], ["--config", ""], ["--config", "--ui"]]) {
    assertEquals(refusal("a", ...args), "Cannot use --config: it needs a value");
  }
  assertEquals(refusal("a", "--mount"), "Cannot use --mount: it needs a value");
  assertEquals(refusal("a", "-C"), "Cannot use -C: it needs a value");
  const twice = "Cannot use --config: given more than once";
  assertEquals(refusal("a", "-c", "x", "--config", "y"), twice);
  const whole = 'Cannot use --n-parallel "ten": expected a whole number of at least 1';
  assertEquals(refusal("a", "-n", "ten"), whole);
  assertEquals(refusal("a", "-n", "0"), whole.replace("ten", "0"));
  assertEquals(refusal("a", "-n", "1.5"), whole.replace("ten", "1.5"));
  const number = 'Cannot use --temperature "0x10": expected a number';
  assertEquals(refusal("a", "--temperature", "0x10"), number);
});
