import { main } from "./src/cli/main.ts";
import { isHarnessCommand } from "./src/harness/commands.ts";

/** Kept before plugins run, which get one that refuses. */
const exit: (status: number) => never = Deno.exit;

if (import.meta.main) {
  // In a sandbox the compiled program is what the harness's bundle is elsewhere, to the last error.
  if (isHarnessCommand(Deno.args[0])) await import("./src/harness/program.ts");
  else await main(Deno.args, { exit });
}
