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

const IMAGE = "sha256:" + "a".repeat(64);

/** Returns a script for a docker that has one image, runs nothing and notes how it is called. */
export function dockerWithImage(
  { calls, info, endpoint }: {
    /** The file that calls are appended to. */
    readonly calls: string;
    /** What it says of itself. */
    readonly info: object;
    /** Where its daemon is. */
    readonly endpoint: string;
  },
): string {
  const facts = [{
    ...{ Id: IMAGE, Architecture: "amd64", Os: "linux" },
    Config: { Labels: { "karotte.content": "x" } },
  }];
  return `echo "$*" >> "${calls}"\n` + saying({
    info: `echo '${JSON.stringify(info)}'`,
    context: `echo '${JSON.stringify(endpoint)}'`,
    image: `echo '${JSON.stringify(facts)}'`,
    ps: "exit 0",
    volume: "exit 0",
    network: "exit 0",
  });
}

/** Returns a script that answers by its first word, or another one. */
export function saying(answers: Readonly<Record<string, string>>, word = "$1"): string {
  const cases = Object.entries(answers).map(([command, script]) => `${command}) ${script} ;;`);
  return `case ${word} in\n${cases.join("\n")}\n*) exit 1 ;;\nesac`;
}
