import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { type EvaluationRunConfigInput, runConfigSchema } from "../schemas/run_config.ts";
import { claimOutputFiles, type OutputFiles, placeTranscript } from "./output_files.ts";

async function claim(
  directory: string,
  fields: Partial<EvaluationRunConfigInput> = {},
): Promise<OutputFiles> {
  const config = runConfigSchema.parse({ run_id: "r1", task_id: "t", model: "m", ...fields });
  const files = await claimOutputFiles(config, { directory, name: "r1" });
  files.events.close();
  return files;
}

const names = async (directory: string) =>
  (await Array.fromAsync(Deno.readDir(directory))).map(({ name }) => name).sort();

Deno.test("without a name the files are out/<run_id>, and nothing that exists is touched", async () => {
  await using dir = await tempDir();
  const first = await claim(dir.path);
  assertEquals(first.transcriptPath, `${dir.path}/out/r1.json`);
  const second = await claim(dir.path);
  assertEquals(second.transcriptPath, `${dir.path}/out/r1.2.json`);
  assertEquals(await names(`${dir.path}/out`), ["r1.2.events.ndjson", "r1.events.ndjson"]);
});

Deno.test("twelve runs of one id at once have twelve files", async () => {
  await using dir = await tempDir();
  const claimed = await Promise.all(Array.from({ length: 12 }, () => claim(dir.path)));
  assertEquals(new Set(claimed.map(({ eventsPath }) => eventsPath)).size, 12);
});

Deno.test("a named transcript that exists is kept under the next free number", async () => {
  await using dir = await tempDir();
  const named = { transcript_file: "results/t.json" };
  await claim(dir.path, named);
  await Deno.writeTextFile(`${dir.path}/results/t.json`, "first");
  await claim(dir.path, named);
  await Deno.writeTextFile(`${dir.path}/results/t.json`, "second");
  await claim(dir.path, named);
  assertEquals(await Deno.readTextFile(`${dir.path}/results/t.1.json`), "first");
  assertEquals(await Deno.readTextFile(`${dir.path}/results/t.2.json`), "second");
  assertEquals(await names(`${dir.path}/results`), [
    "t.1.events.ndjson",
    "t.1.json",
    "t.2.events.ndjson",
    "t.2.json",
    "t.events.ndjson",
  ]);
});

Deno.test("a transcript of null means no final file, but events", async () => {
  await using dir = await tempDir();
  const files = await claim(dir.path, { transcript_file: null });
  assertEquals(files.transcriptPath, null);
  assertEquals(await names(`${dir.path}/out`), ["r1.events.ndjson"]);
});

Deno.test("a transcript's place that was taken meanwhile is left alone", async () => {
  await using dir = await tempDir();
  const wanted = `${dir.path}/t.json`;
  await Deno.writeTextFile(wanted, "theirs");
  await Deno.writeTextFile(`${dir.path}/partial`, "ours");
  const placed = await placeTranscript(`${dir.path}/partial`, wanted);
  assertEquals([placed, await Deno.readTextFile(wanted)], [`${dir.path}/t.1.json`, "theirs"]);
  assertEquals(await names(dir.path), ["t.1.json", "t.json"]);
});

Deno.test("a folder that is a file is a usage error that names it", async () => {
  await using dir = await tempDir();
  await Deno.writeTextFile(`${dir.path}/out`, "");
  await assertRejects(() => claim(dir.path), KarotteError, `Cannot write to "${dir.path}/out"`);
});
