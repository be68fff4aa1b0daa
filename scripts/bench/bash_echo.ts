import { tempDir } from "../../src/base/temp_dir.ts";
import { createStudent } from "../../src/harness/student/student.ts";
import { studentVariables } from "../../src/harness/student/variables.ts";
import { createBuiltinTools } from "../../src/harness/tools/builtin_tools.ts";
import { STUDENT } from "../../src/protocol/layout.ts";
import { ProtectedStore } from "../../src/sdk/protected_store.ts";
import type { Measured } from "./measured.ts";
import { median, spread, timesOf } from "./samples.ts";

/** A call of the `bash` tool in a session that runs already. */
export async function measureBashEcho(signal: AbortSignal): Promise<Measured> {
  const what = "echo through the bash tool";
  if (Deno.uid() !== 0) return { what, reason: "only root can start the student's shell" };
  const { uid, gid } = STUDENT;
  await using home = await tempDir();
  await using store = await tempDir();
  await Deno.chown(home.path, uid, gid);
  const variables = studentVariables({ image: {}, run: {}, withheld: [] });
  using student = createStudent({ uid, gid, home: home.path, variables });
  await using builtin = createBuiltinTools(student);
  const bash = builtin.tools.bash!;
  const context = {
    signal,
    student,
    store: new ProtectedStore(store.path),
    config: bash.parseConfig(undefined),
    variables: {},
    submitAnswers: () => Promise.resolve(),
  };
  const echo = async () => {
    const output = await bash.run(await bash.parseInput({ command: "echo hi" }), context);
    if (typeof output === "object" && "stdout" in output && output.stdout === "hi\n") return;
    throw new Error(`echo came back as ${JSON.stringify(output)}`);
  };
  const [times = []] = await timesOf([echo], { rounds: 200, signal });
  return { what, value: median(times), unit: "ms", target: 3, detail: spread(times, "ms") };
}
