import { type TempDir, tempDir } from "../../src/base/temp_dir.ts";

/** Programs that stand before the real engines on PATH; each does what its script says. */
export async function engines(scripts: Readonly<Record<string, string>>): Promise<{
  dir: TempDir;
  options: { cwd: string; env: Record<string, string> };
}> {
  const dir = await tempDir();
  const silent = 'echo "Cannot connect to the Docker daemon" >&2; exit 1';
  const all = { docker: silent, podman: silent, nerdctl: silent, ...scripts };
  for (const [name, script] of Object.entries(all)) {
    await Deno.writeTextFile(`${dir.path}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const env = { PATH: `${dir.path}:${Deno.env.get("PATH")}`, TMPDIR: dir.path };
  return { dir, options: { cwd: dir.path, env } };
}

/** Returns a script that answers by its first word, or another one. */
export function saying(answers: Readonly<Record<string, string>>, word = "$1"): string {
  const cases = Object.entries(answers).map(([command, script]) => `${command}) ${script} ;;`);
  return `case ${word} in\n${cases.join("\n")}\n*) exit 1 ;;\nesac`;
}
