import { DATA_DIRECTORIES, STATE_DIRECTORY, STUDENT, WORK_DIRECTORY } from "../schemas/layout.ts";
import { run } from "../base/process.ts";
import { KarotteError } from "../base/errors.ts";

/**
 * Gives the places of a sandbox their owners and modes (design: data directories); what is not
 * there is left out, except the working directory and the state directory. Runs as the sandbox's
 * root, before any process of the student.
 */
export async function prepareLayout(): Promise<void> {
  const owner = `${STUDENT.uid}:${STUDENT.gid}`;
  await Deno.mkdir(WORK_DIRECTORY, { recursive: true });
  await Deno.chown(WORK_DIRECTORY, 0, 0);
  await Deno.chmod(WORK_DIRECTORY, 0o1777);
  await Deno.mkdir(STATE_DIRECTORY, { recursive: true });
  await Deno.chmod(STATE_DIRECTORY, 0o700);
  for (const { target, access } of DATA_DIRECTORIES) {
    if (!(await isDirectory(target))) continue;
    if (access === "student") await change(["chown", "-R", "-h", owner, "--", target]);
    if (access === "shared") {
      await change(["chown", "-R", "-h", "0:0", "--", target]);
      await change(["chmod", "-R", "a+rX,go-w", "--", target]);
    }
    if (access === "root") {
      await change(["chown", "-R", "-h", "0:0", "--", target]);
      await Deno.chmod(target, 0o700);
    }
  }
}

async function change(argv: readonly string[]): Promise<void> {
  const result = await run(argv);
  if (result.code === 0) return;
  const message = new TextDecoder().decode(result.stderr).trim();
  throw new KarotteError("runtime", `Cannot prepare "${argv.at(-1)}": ${message}`);
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
