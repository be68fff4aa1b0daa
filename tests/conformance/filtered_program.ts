/**
 * The harness's restrictions, as a sandbox's program: takes them upon itself as the harness does,
 * then runs the argv that follows to its end and writes its output to stderr.
 */
import { run } from "../../src/base/process.ts";
import { restrictSystemCalls } from "../../src/harness/restrict_system_calls.ts";

restrictSystemCalls();
const { stdout, stderr } = await run(Deno.args);
for (const bytes of [stdout, stderr]) await Deno.stderr.write(bytes);
