import { assertEquals, assertMatch } from "@std/assert";
import { karotte as callKarotte, ROOT } from "./karotte.ts";

const karotte = (...args: string[]) => callKarotte(args, { cwd: ROOT });

Deno.test("karotte --version prints the version and nothing else", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  assertEquals(await karotte("--version"), { code: 0, stdout: `${version}\n`, stderr: "" });
});

Deno.test("karotte --help lists the commands, but not those for our own use", async () => {
  const { code, stdout } = await karotte("--help");
  assertEquals(code, 0);
  assertMatch(stdout, /^ {2}run {2}/m);
  assertEquals(/harness|describe|exec/.test(stdout), false);
  assertEquals((await karotte()).stdout, stdout);
  assertEquals((await karotte("help")).stdout, stdout);
});
