import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { bashScript, probeTask, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

const LINES = [
  "-----BEGIN SIGNING KEY-----",
  "MIIBVAIBADANBgkqhkiG9w0BAQEF",
  "-----END SIGNING KEY-----",
];

Deno.test("faults 4.1: a signing key that a judge's program prints is nowhere, in no spelling", async () => {
  await using environment = await testEnvironment({
    "/karotte.plugins.json": `{ "plugins": ["./plugin.ts"] }`,
    "/plugin.ts": `
      import { definePlugin } from "@karotte/cli/sdk";
      export default definePlugin({
        name: "acme",
        entryPoints: { "karotte.harness_secret_env": { acme: ["SIGNING_KEY"] } },
      });`,
    "fake_model.ts": bashScript("true"),
    "tasks/probe.ts": probeTask(
      `new ExecutableJudge({ script: "scoring/check.ts" })`,
    ),
    "scoring/check.ts": `
      const key = Deno.env.get("SIGNING_KEY");
      const config = JSON.stringify({ config: { key } });
      console.log(config);
      console.error(config, key, encodeURIComponent(key), btoa("key=" + key));
      const metadata = { length: key.length, config, nested: JSON.stringify({ config }) };
      await Deno.writeTextFile(Deno.args.at(-1), JSON.stringify({ score: 1, metadata }));`,
  });
  const { path: cwd } = environment;
  const args = ["run", "--task", "probe", "--fake-model", "--run-id", "r1", "--env", "SIGNING_KEY"];
  const env = { SIGNING_KEY: `${LINES.join("\n")}\n` };
  const { code, stdout, stderr } = await karotte(args, { cwd, env });
  assertEquals(code, 0, stderr);
  const transcript = await Deno.readTextFile(`${cwd}/out/r1.json`);
  const events = await Deno.readTextFile(`${cwd}/out/r1.events.ndjson`);
  assertStringIncludes(transcript, `"length": "${env.SIGNING_KEY.length}"`);
  assertStringIncludes(transcript, "[redacted]");
  for (const text of [transcript, events, stdout, stderr]) {
    for (const part of ["SIGNING KEY", "MIIBVAIBADANB", btoa(LINES[1]!).slice(4, -4), "%0AMII"]) {
      assert(!text.includes(part), `${part}: ${text}`);
    }
  }
});
