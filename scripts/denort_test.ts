import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { fakeCheckout } from "./fake_checkout.ts";

Deno.test("denort.sh refuses what is not what was checked once, and leaves nothing of it", async () => {
  await using checkout = await fakeCheckout();
  // An ELF file of 64 bytes with no sections, and what a compiled program has behind it.
  await checkout.program(
    "npm",
    `while [ $# -gt 0 ]; do [ "$1" = --prefix ] && place=$2/node_modules; shift; done
     mkdir -p "$place/@dgellow/rfc-linux-x64/bin" "$place/@deno/linux-x64-glibc"
     { printf '%40s' x; printf '\\100\\0\\0\\0\\0\\0\\0\\0'; printf '%16s' x | tr 'x ' '\\0\\0'; echo data; } \\
       >"$place/@dgellow/rfc-linux-x64/bin/rfc"
     echo other >"$place/@deno/linux-x64-glibc/deno"`,
  );
  const tools = join(checkout.path, "tools");
  const { code, stdout, stderr } = await checkout.script("denort.sh", [], { KAROTTE_TOOLS: tools });
  assertEquals([code, stdout], [1, ""]);
  assertStringIncludes(stderr, "is not what was checked once");
  const left = await Array.fromAsync(Deno.readDir(tools));
  assertEquals(left.map(({ name }) => name), [".denort.lock"]);
});

Deno.test("denort.sh says what is missing", async () => {
  await using checkout = await fakeCheckout();
  const { code, stderr } = await checkout.script("denort.sh");
  assertEquals([code, stderr], [1, "error: there is no npm to get a denort with\n"]);
});
