import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { run } from "./process.ts";
import { tempDir } from "./temp_dir.ts";

/** Kills, for a second, all that a user has who has nothing, as fast as it can. */
const KILLING = `
const until = performance.now() + 1000;
while (performance.now() < until) killAllOfUser(Number(Deno.args[0]));
`;

Deno.test("processes that kill all of a user each do not kill one another", async () => {
  await using dir = await tempDir();
  const script = `${dir.path}/main.ts`;
  const module = new URL("act_as_user.ts", import.meta.url).href;
  await Deno.writeTextFile(script, `import { killAllOfUser } from "${module}";${KILLING}`);
  const config = fromFileUrl(new URL("../../deno.json", import.meta.url));
  const deno = [Deno.execPath(), "run", "--allow-all", "--no-check", "--no-lock", "--quiet"];
  const first = 100_000 + crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000_000;
  const ended = await Promise.all(
    [first, first + 1].map((uid) => run([...deno, "--config", config, script, `${uid}`])),
  );
  assertEquals(ended.map(({ code }) => code), [0, 0]);
});
