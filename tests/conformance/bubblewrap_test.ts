import { assertEquals } from "@std/assert";
import { ENVIRONMENT } from "../../src/runtimes/bubblewrap/confinement.ts";
import { ALL_VARIABLE, WHOLE } from "../support/whole.ts";
import { LAUNCHER_VARIABLE, missing, NAME, runtime, VARIATION } from "./bubblewrap_here.ts";
import { MEMORY_LIMIT, MEMORY_STATUS, PROCESS_LIMIT, PROCESS_STATUS } from "./limits.ts";
import { denoAsPlainUser, whyNoPlainUser } from "./plain_user.ts";
import { testRuntime } from "./runtime.ts";

const noGroup = "a plain user can make no control group";
const limits = [MEMORY_LIMIT, MEMORY_STATUS, PROCESS_LIMIT, PROCESS_STATUS];

testRuntime({
  name: NAME,
  make: () => runtime(),
  // bwrap itself sets PWD.
  environment: [...Object.keys(ENVIRONMENT), "PWD"],
  deviations: Deno.uid() === 0 ? {} : Object.fromEntries(limits.map((name) => [name, noGroup])),
  variation: VARIATION,
  ignore: missing,
});

// The imports of these files are all in the offline map.
const TEST = ["test", "--allow-all", "--no-check", "--no-lock"];
const FILES = ["tests/conformance/bubblewrap_test.ts", "tests/conformance/bubblewrap_host_test.ts"];

// A plain user who runs these tests has had them above.
if (Deno.uid() === 0) {
  for (const launcher of ["unshare", "bwrap"]) {
    const reason = missing ?? await whyNoPlainUser();
    const suffix = reason === undefined ? "" : ` (ignored: ${reason})`;
    Deno.test({
      name: `bubblewrap by ${launcher} passes this as a plain user${suffix}`,
      ignore: reason !== undefined,
      async fn() {
        const argv = [...TEST, "--import-map", "scripts/offline/imports.json", ...FILES];
        const result = await denoAsPlainUser(argv, {
          variables: { [LAUNCHER_VARIABLE]: launcher, ...(WHOLE ? { [ALL_VARIABLE]: "1" } : {}) },
        });
        const said = [result.stdout, result.stderr].map((bytes) => new TextDecoder().decode(bytes));
        assertEquals(result.code, 0, said.join("\n"));
      },
    });
  }
}
