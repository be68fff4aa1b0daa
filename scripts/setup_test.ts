import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { fakeCheckout } from "./fake_checkout.ts";
import { NOWHERE } from "../tests/support/nowhere.ts";

Deno.test("set-up says what it installs once, and nothing when all is there", async () => {
  await using checkout = await fakeCheckout();
  const first = await checkout.script("setup.sh");
  assertEquals(first.code, 0, first.stderr);
  assertMatch(first.stderr, /^set-up: installing the npm packages .*\nset-up: jsr.io can't .*\n$/);
  assertEquals(await checkout.script("setup.sh"), { code: 0, stdout: "", stderr: "" });
});

Deno.test("set-up starts anew when deno.json has changed", async () => {
  await using checkout = await fakeCheckout();
  await checkout.script("setup.sh");
  await Deno.writeTextFile(join(checkout.path, "deno.json"), "\n", { append: true });
  assertStringIncludes((await checkout.script("deno", ["run"])).stderr, "installing the npm");
  assertEquals((await checkout.script("deno", ["run"])).stderr, "");
});

Deno.test("two set-ups at once do the work once", async () => {
  await using checkout = await fakeCheckout();
  const both = await Promise.all([checkout.script("setup.sh"), checkout.script("setup.sh")]);
  assertEquals(both.map(({ code }) => code), [0, 0]);
  assertEquals(both.filter(({ stderr }) => stderr !== "").length, 1);
});

Deno.test("set-up leaves the committed lock file alone", async () => {
  await using checkout = await fakeCheckout();
  const before = await checkout.read("deno.lock");
  await checkout.program(
    "deno",
    `case $1 in --version) echo "deno 2.6.0" ;; esac
     while [ $# -gt 0 ]; do [ "$1" = --lock ] && echo changed >"$2"; shift; done`,
  );
  assertEquals((await checkout.script("karotte")).code, 0);
  assertEquals(await checkout.read("deno.lock"), before);
});

Deno.test("karotte and deno use the stand-ins only where JSR can't be reached", async () => {
  await using checkout = await fakeCheckout();
  const map = `--import-map\n${checkout.path}/scripts/offline/imports.json\n`;
  assertStringIncludes((await checkout.script("karotte")).stdout, map);
  await Deno.remove(join(checkout.path, "node_modules"), { recursive: true });
  await checkout.program(
    "deno",
    `case $1 in --version) echo "deno 3.0.1" ;; run) printf '%s\\n' "$@" ;; esac`,
  );
  const online = await checkout.script("karotte");
  assertEquals([online.code, online.stdout.includes("--import-map")], [0, false]);
});

Deno.test("karotte hands its arguments on as they are, through a link too", async () => {
  await using checkout = await fakeCheckout();
  const args = ["run", "--name", "a b", "", "$HOME", "-*"];
  await Deno.symlink("karotte", join(checkout.path, "scripts/link"));
  for (const name of ["karotte", "link"]) {
    const { stdout } = await checkout.script(name, args);
    const expected = [`${checkout.path}/main.ts`, ...args].join("\n");
    assertStringIncludes(stdout, `\n${expected}\n`);
  }
});

Deno.test("deno gets its options behind the subcommand, and none that it would refuse", async () => {
  await using checkout = await fakeCheckout();
  const config = join(checkout.path, "deno.json");
  const check = await checkout.script("deno", ["check", "a.ts"]);
  assertMatch(check.stdout, /^check\n--config\n[^]*--lock\n[^]*--import-map\n[^]*\na\.ts\n$/);
  assertEquals(
    (await checkout.script("deno", ["fmt", "a.ts"])).stdout,
    `fmt\n--config\n${config}\na.ts\n`,
  );
  assertEquals((await checkout.script("deno", ["types"])).stdout, "types\n");
});

Deno.test("the deno of the last set-up is kept, whatever PATH says later", async () => {
  await using checkout = await fakeCheckout();
  await checkout.program("mine", `[ "$1" = --version ] && echo "deno 2.7.0" || echo mine`);
  const mine = join(dirname(checkout.path), "bin/mine");
  await checkout.script("setup.sh");
  const ready = (await checkout.read("node_modules/.karotte/ready")).split("\n");
  await Deno.writeTextFile(
    join(checkout.path, "node_modules/.karotte/ready"),
    [mine, ...ready.slice(1)].join("\n"),
  );
  await Deno.utime(join(checkout.path, "deno.json"), new Date(), new Date(Date.now() + 60_000));
  assertEquals(await checkout.script("karotte"), { code: 0, stdout: "mine\n", stderr: "" });
});

Deno.test("what set-up can't get is an error that names the remedy", async () => {
  await using checkout = await fakeCheckout();
  const named = await checkout.script("karotte", [], { KAROTTE_DENO: NOWHERE });
  assertEquals(named.code, 1);
  assertStringIncludes(named.stderr, `error: KAROTTE_DENO is "${NOWHERE}", which is no Deno `);
  await checkout.program("deno", "echo 'deno 2.5.6'");
  const old = await checkout.script("karotte");
  assertEquals(old.code, 1);
  assertMatch(old.stderr, /^error: no Deno 2.6 or newer on PATH and no npm .*\n$/);
  await checkout.program("npm", "echo offline >&2; exit 1");
  const unreachable = await checkout.script("karotte");
  assertEquals(unreachable.code, 1);
  assertMatch(unreachable.stderr, /\nerror: npm can't install deno@.*: connect to an npm .*\n$/);
});

Deno.test("a failed installation of the packages is told, and tried again", async () => {
  await using checkout = await fakeCheckout();
  await checkout.program(
    "deno",
    `case $1 in --version) echo "deno 2.9.6" ;; *) echo "no registry" >&2; exit 1 ;; esac`,
  );
  for (const _attempt of [1, 2]) {
    const { code, stderr } = await checkout.script("karotte");
    assertEquals(code, 1);
    assertMatch(stderr, /no registry\nerror: the npm packages of deno.json can't be .*\n$/);
  }
});

Deno.test("system packages that are missing are installed, or named", async () => {
  await using checkout = await fakeCheckout();
  const missing = await checkout.script("system_packages.sh", ["bubblewrap", "uidmap"]);
  assertEquals(missing.code, 1);
  assertMatch(missing.stderr, /^error: missing on this machine: bubblewrap uidmap; .*\n$/);
  await checkout.program("bwrap", "");
  await checkout.program("sudo", `[ "$1" = -n ] && shift; exec "$@"`);
  await checkout.program("apt-get", `printf '%s\\n' "$*" >>"${checkout.path}/calls"`);
  const installed = await checkout.script("system_packages.sh", ["bubblewrap", "uidmap"]);
  assertEquals([installed.code, installed.stderr], [
    0,
    "set-up: installing the system packages: uidmap\n",
  ]);
  assertMatch(await checkout.read("calls"), /^.* install -y --no-install-recommends uidmap\n$/);
});
