import { assertEquals } from "@std/assert";
import { BuildProgress, parseBuildLine } from "./build_output.ts";

Deno.test("steps and cached steps of three builders are told from text", () => {
  assertEquals(parseBuildLine("Step 2/7 : RUN make"), { kind: "step", step: "2/7: RUN make" });
  assertEquals(parseBuildLine("STEP 2/7: RUN make"), { kind: "step", step: "2/7: RUN make" });
  assertEquals(parseBuildLine("#6 [2/7] RUN make"), { kind: "step", step: "2/7: RUN make" });
  assertEquals(parseBuildLine("#6 [stage 2/7] RUN a"), { kind: "step", step: "2/7: RUN a" });
  assertEquals(parseBuildLine(" > [2/7] RUN false:"), { kind: "failed", step: "2/7: RUN false" });
  for (const line of [" ---> Using cache", "--> Using cache 0a1b", "#6 CACHED"]) {
    assertEquals(parseBuildLine(line), { kind: "cached" });
  }
  for (const line of ["", " ---> 0a1b", "#6 0.2 Step 1/2 : x", "in Step 1/2 : x"]) {
    assertEquals(parseBuildLine(line), { kind: "text" });
  }
});

function follow(...chunks: readonly string[]) {
  const steps: string[] = [];
  const lines: string[] = [];
  const progress = new BuildProgress({
    onStep: (step) => void steps.push(step),
    onLine: (line) => void lines.push(line),
  });
  for (const text of chunks) progress.push(new TextEncoder().encode(text));
  progress.finish();
  return { progress, steps, lines };
}

Deno.test("only steps that are at work are shown, and the failed one keeps its last lines", () => {
  const { progress, steps, lines } = follow(
    "Step 1/3 : FROM a\n ---> 12\nStep 2/3 : RUN b\n ---> Using ca",
    "che\n ---> 34\nStep 3/3 : RUN c\n ---> Running in 5\n1%\r99%\r100%\r\n\x1b[91mwarn",
    "ing\n\x1b[0mThe command failed",
  );
  assertEquals(steps, ["1/3: FROM a", "3/3: RUN c"]);
  assertEquals(progress.step, "3/3: RUN c");
  assertEquals(progress.lastLines, [" ---> Running in 5", "100%", "warning", "The command failed"]);
  assertEquals(lines, [" ---> 12", " ---> 34", ...progress.lastLines]);
});

Deno.test("steps of BuildKit that are cached are not shown", () => {
  const { steps } = follow(
    `#4 [1/2] RUN a\n#4 sha256:${"0".repeat(64)}\n#4 CACHED\n`,
    `#5 [2/2] RUN b\n#5 sha256:${"1".repeat(64)}\n#5 DONE 0.3s\n`,
  );
  assertEquals(steps, ["2/2: RUN b"]);
});

Deno.test("of a step that says a lot the last fifty lines are kept", () => {
  const numbers = Array.from({ length: 5000 }, (_, index) => `${index}\n`).join("");
  const { progress } = follow(`Step 1/1 : RUN seq\n${numbers}`);
  assertEquals([progress.lastLines.length, progress.lastLines[0]], [50, "4950"]);
});

Deno.test("a line without end takes bounded room", () => {
  const { progress } = follow("x".repeat(1_000_000));
  assertEquals(progress.lastLines.map(({ length }) => length), [2000]);
});
