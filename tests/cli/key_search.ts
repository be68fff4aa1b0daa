import { assertEquals } from "@std/assert";
import { type WireServer, wireServer } from "../models/wire/server.ts";

const PARTS = ["sk-test", crypto.randomUUID()];
/** A key that no other test holds either: it is looked for in all processes of the machine. */
export const KEY = PARTS.join("-");

/** Looks for the key as root of the sandbox: what every process was given, and every file. */
const SEARCH = `
  const key = ${JSON.stringify(PARTS)}.join("-");
  const found: string[] = [];
  const look = (path: string) => {
    try {
      if (new TextDecoder().decode(Deno.readFileSync(path)).includes(key)) found.push(path);
    } catch { /* gone, or nothing that can be read */ }
  };
  const walk = (folder: string) => {
    try {
      for (const { name, isFile, isDirectory } of Deno.readDirSync(folder)) {
        if (isFile) look(folder + "/" + name);
        if (isDirectory) walk(folder + "/" + name);
      }
    } catch { /* gone */ }
  };
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\\d+$/.test(name)) continue;
    look("/proc/" + name + "/environ");
    look("/proc/" + name + "/cmdline");
  }
  ["/opt/karotte/private", "/workdir", "/root_data", "/etc", "/tmp", "/run"].forEach(walk);
  const score = found.length === 0 ? 1 : 0;
  Deno.writeTextFileSync(Deno.args[0]!, JSON.stringify({ score, metadata: { found: found.join() } }));`;

/** An environment whose judge scores 1 if it finds the key nowhere. */
export const SEARCHING: Readonly<Record<string, string>> = {
  "tasks/probe.ts": `
    import { createTask, ExecutableJudge } from "@karotte/cli/sdk";
    export default createTask({
      id: "probe",
      tools: ["bash"],
      systemPrompt: null,
      steps: [{
        instructions: "Go.",
        judge: new ExecutableJudge({ script: "scoring/search.ts" }),
      }],
    });`,
  "scoring/search.ts": SEARCH,
};

/** A model that says the key, and lets its student look for it. `meanwhile` runs at each turn. */
export function searchingModel(meanwhile: () => Promise<void> | void): WireServer {
  return wireServer(async (request, index) => {
    assertEquals(request.headers.get("x-api-key"), KEY);
    await meanwhile();
    if (index > 0) return { text: `Your key is ${KEY}.` };
    const command = "env; cat /proc/*/environ /proc/*/cmdline | tr '\\\\0' '\\\\n'";
    return { toolCalls: [{ name: "bash", arguments: JSON.stringify({ command }) }] };
  });
}

/** Every process of this machine that was given the key in its environment or arguments. */
export function keyHolders(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) =>
    Number.isInteger(pid) && ["environ", "cmdline"].some((file) => {
      try {
        return Deno.readTextFileSync(`/proc/${pid}/${file}`).includes(KEY);
      } catch {
        return false; // it ended meanwhile
      }
    })
  );
}
