import { fromFileUrl } from "@std/path";
import { identityOf } from "../../src/trust/own_folder.ts";
import { changeTrust } from "../../src/trust/trust_record.ts";

/** Folder of what the user of tests decided, where a test gives him no home. */
export const TEST_CONFIG = fromFileUrl(
  new URL("../../node_modules/.karotte/test_config", import.meta.url),
);

/**
 * Makes a folder one of the user's own, as if he had made it with `create-env`: what stands in it
 * takes effect. `home` is the user's where the test gives him one.
 */
export async function makeOwn(folder: string, home?: string): Promise<void> {
  const real = await Deno.realPath(folder);
  const own = identityOf(real);
  if (own === undefined) throw new Error(`no folder: ${folder}`);
  const name = home === undefined ? "XDG_CONFIG_HOME" : "HOME";
  await changeTrust(
    real,
    () => ({ own, wishes: {} }),
    (asked) => asked === name ? home ?? TEST_CONFIG : undefined,
  );
}
