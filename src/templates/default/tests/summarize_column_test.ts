import assert from "node:assert/strict";
import summarizeColumnTool, { summarizeColumn } from "../src/environment/tools/summarize_column.ts";
import { fakeContext } from "./fake_context.ts";

const CSV = "bed,grams\nA1,30\nC2,500\nB3,20\n";

Deno.test("the tool reads the file as the student and summarizes the column", async () => {
  const context = {
    ...fakeContext({ "/data.csv": CSV }),
    config: summarizeColumnTool.parseConfig(undefined),
  };
  const input = await summarizeColumnTool.parseInput({ path: "/data.csv", column: "grams" });
  assert.deepEqual(await summarizeColumnTool.run(input, context), {
    rows: 3,
    sum: 550,
    smallest: 20,
    largest: 500,
    row_of_largest: "C2,500",
  });
});

Deno.test("arguments of the wrong type are refused with a message for the model", async () => {
  await assert.rejects(() => summarizeColumnTool.parseInput({ path: "/data.csv" }), /column/);
});

Deno.test("a column that is not there or not numeric is an error that says so", () => {
  assert.throws(() => summarizeColumn(CSV, "weight"), /no column "weight"/);
  assert.throws(() => summarizeColumn(CSV, "bed"), /Not a number/);
  assert.throws(() => summarizeColumn("grams\n", "grams"), /no rows/);
});
