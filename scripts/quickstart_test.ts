import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { fakeCheckout } from "./fake_checkout.ts";

/** Makes what the program would make: the folder of an environment, then a transcript in it. */
const DENO = `case $1 in
  --version) echo "deno 2.9.6" ;;
  cache) exit 1 ;;
  run)
    for last; do :; done
    case "$*" in
      *create-env*) mkdir -p "$last/out" ;;
      *) while [ "$1" != -C ]; do shift; done; : >"$2/out/r1.json"; echo "ran in $2" ;;
    esac ;;
esac`;

Deno.test("quickstart leaves its environment where neither git nor the gate looks, and uses it again", async () => {
  await using checkout = await fakeCheckout();
  await checkout.program("bwrap", "");
  await checkout.program("deno", DENO);
  const place = join(checkout.path, "out/quickstart");
  for (const _time of [1, 2]) {
    const { code, stdout, stderr } = await checkout.script("quickstart.sh");
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, `ran in ${place}\n`);
    assertStringIncludes(stdout, `less '${place}/out/r1.json'\n`);
  }
  const root = dirname(import.meta.dirname ?? ".");
  const ignored = (await Deno.readTextFile(join(root, ".gitignore"))).split("\n");
  const { exclude } = JSON.parse(await checkout.read("deno.json")) as { exclude: string[] };
  assertEquals([ignored.includes("out/"), exclude.includes("out/")], [true, true]);
});

Deno.test("quickstart takes a folder, but none that is somebody's", async () => {
  await using checkout = await fakeCheckout();
  await checkout.program("bwrap", "");
  await checkout.program("deno", DENO);
  const place = join(checkout.path, "a b/c");
  assertStringIncludes(
    (await checkout.script("quickstart.sh", [place])).stdout,
    `ran in ${place}\n`,
  );
  const taken = await checkout.script("quickstart.sh", [checkout.path]);
  assertEquals(taken.code, 1);
  assertStringIncludes(taken.stderr, "exists and is none of quickstart's");
});
