import { assertRejects } from "@std/assert";
import { tempDir } from "../base/temp_dir.ts";
import { checkLoaderVariables } from "./loader_variables.ts";

const check = (name: string, value: string) =>
  checkLoaderVariables((asked) => asked === name ? value : undefined);

Deno.test("variables of the loader have absolute parts only", async () => {
  await check("PATH", "/usr/bin:/bin");
  await check("LD_LIBRARY_PATH", "");
  await check("LD_PRELOAD", "/usr/lib/a.so /lib/b.so:/c.so");
  await check("HOME", "bin");
  await assertRejects(() => check("PATH", "/usr/bin:bin"), Error, '"bin", no absolute path');
  await assertRejects(() => check("PATH", "/usr/bin:"), Error, '"", no absolute path');
  await assertRejects(() => check("LD_PRELOAD", "/a.so b.so"), Error, '"b.so", no absolute path');
});

Deno.test("libraries come from places that only root can change", async () => {
  await using dir = await tempDir();
  await check("PATH", `${dir.path}/bin`);
  for (const name of ["LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT"]) {
    // Everybody may write to the folder that it lies in.
    await assertRejects(() => check(name, `${dir.path}/lib`), Error, "others than root can change");
  }
});
