import { assertEquals } from "@std/assert";
import { parseArgs } from "./cli.ts";

Deno.test("parseArgs() reads options without a declaration", () => {
  assertEquals(parseArgs(["--foo", "--bar=baz", "./quux.txt"]), {
    foo: true,
    bar: "baz",
    _: ["./quux.txt"],
  });
  assertEquals(parseArgs(["-a", "beep", "-b", "boop"]), { _: [], a: "beep", b: "boop" });
});

Deno.test("parseArgs() reads grouped letters and letters with a value", () => {
  const args = ["-x", "3", "-y", "4", "-n5", "-abc", "--beep=boop", "foo", "bar"];
  assertEquals(parseArgs(args), {
    _: ["foo", "bar"],
    x: 3,
    y: 4,
    n: 5,
    a: true,
    b: true,
    c: true,
    beep: "boop",
  });
  assertEquals(parseArgs(["-m=model"], { string: "m" }), { _: [], m: "model" });
});

Deno.test("parseArgs() makes numbers of what is not declared a string", () => {
  const args = ["--a", "1", "--b", "1", "2", "0x10"];
  assertEquals(parseArgs(args, { string: ["b"] }), { _: [2, 16], a: 1, b: "1" });
  assertEquals(parseArgs(args, { string: ["a", "b", "_"] }), { _: ["2", "0x10"], a: "1", b: "1" });
});

Deno.test("parseArgs() takes no value for a boolean, but for true and false", () => {
  const options = { boolean: ["v", "quiet"] };
  assertEquals(parseArgs(["-v", "file"], options), { _: ["file"], v: true, quiet: false });
  assertEquals(parseArgs(["--quiet=false", "file"], options), {
    _: ["file"],
    v: false,
    quiet: false,
  });
  assertEquals(parseArgs(["--quiet", "true"], options), { _: [], v: false, quiet: true });
});

Deno.test("parseArgs() takes no flag for a string's value", () => {
  const options = { string: "name", boolean: "v" };
  assertEquals(parseArgs(["--name", "-v"], options), { _: [], name: "", v: true });
  assertEquals(parseArgs(["--name"], options), { _: [], name: "", v: false });
  assertEquals(parseArgs(["--name=-v"], options), { _: [], name: "-v", v: false });
  assertEquals(parseArgs(["--name=a=b"], options), { _: [], name: "a=b", v: false });
});

Deno.test("parseArgs() keeps the last value, or all with collect", () => {
  const args = ["--a", "1", "--a", "2", "--b", "x", "--b", "y"];
  assertEquals(parseArgs(args, { string: ["a", "b", "c"], collect: ["b", "c"] }), {
    _: [],
    a: "2",
    b: ["x", "y"],
    c: [],
  });
});

Deno.test("parseArgs() negates what is negatable only", () => {
  const options = { boolean: ["color"], negatable: ["color", "config"], string: ["config"] };
  assertEquals(parseArgs(["--no-color"], { ...options, default: { color: true } }), {
    _: [],
    color: false,
  });
  assertEquals(parseArgs(["--no-config"], options), { _: [], color: false, config: false });
  assertEquals(parseArgs(["--no-other"], options), { _: [], color: false, "no-other": true });
});

Deno.test("parseArgs() gives a value under every alias", () => {
  const options = { alias: { help: "h", name: ["n", "nom"] }, boolean: ["help"], string: ["name"] };
  assertEquals(parseArgs(["-h", "--nom", "x"], options), {
    _: [],
    help: true,
    h: true,
    name: "x",
    n: "x",
    nom: "x",
  });
});

Deno.test("parseArgs() fills in defaults under every alias", () => {
  const options = { default: { port: 80 }, alias: { port: "p" }, string: ["port"] };
  assertEquals(parseArgs([], options), { _: [], port: 80, p: 80 });
  assertEquals(parseArgs(["-p", "1"], options), { _: [], port: "1", p: "1" });
});

Deno.test("parseArgs() stops at the first positional with stopEarly", () => {
  const options = { boolean: ["v"], stopEarly: true };
  assertEquals(parseArgs(["-v", "run", "--name", "x"], options), {
    _: ["run", "--name", "x"],
    v: true,
  });
});

Deno.test("parseArgs() parses nothing after a double dash", () => {
  assertEquals(parseArgs(["a", "--", "-b", "1"]), { _: ["a", "-b", "1"] });
  assertEquals(parseArgs(["a", "--", "-b", "1"], { "--": true }), { _: ["a"], "--": ["-b", "1"] });
  assertEquals(parseArgs([], { "--": true }), { _: [], "--": [] });
});

Deno.test("parseArgs() hands over what is unknown, and drops it on false", () => {
  const seen: unknown[] = [];
  const unknown = (...call: unknown[]) => {
    seen.push(call);
    return false;
  };
  const args = ["--known", "x", "--nmae=y", "-q", "file"];
  assertEquals(parseArgs(args, { string: ["known"], boolean: ["b"], unknown }), {
    _: [],
    known: "x",
    b: false,
  });
  assertEquals(seen, [["--nmae=y", "nmae", "y"], ["-q", "q", "file"]]);
});

Deno.test("parseArgs() takes a single dash for a positional", () => {
  assertEquals(parseArgs(["-", "a"]), { _: ["-", "a"] });
});
