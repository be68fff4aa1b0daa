import { defineTool, z } from "@karotte/cli/sdk";

/** The file's name is the tool's name: a task offers it as "summarize_column". */
export default defineTool({
  description:
    "Summarizes a column of numbers in a CSV file: how many rows there are, their sum, " +
    "the smallest and the largest value, and the whole row with the largest one.",
  input: z.object({
    path: z.string().describe("Absolute path of the CSV file, which has a header line"),
    column: z.string().describe("Name of the column"),
  }),
  // A task sets this in `configureTools`; the default applies where it does not.
  config: z.object({ max_bytes: z.number().int().positive().default(1_000_000) }),
  async run({ path, column }, { student, config }) {
    // Tools run as root. `student` acts with the student's rights, so the tool gives nothing away.
    const bytes = await student.readFile(path, { maxBytes: config.max_bytes });
    return summarizeColumn(new TextDecoder().decode(bytes), column);
  },
});

/** The summary that the model sees; throws an `Error` whose message the model sees instead. */
export function summarizeColumn(csv: string, column: string) {
  const [header = "", ...rows] = csv.trim().split(/\r?\n/);
  const index = header.split(",").indexOf(column);
  if (index === -1) throw new Error(`There is no column "${column}"; the header is: ${header}`);
  const values = rows.map((row) => Number(row.split(",")[index]));
  if (values.length === 0) throw new Error("The file has no rows");
  const notANumber = values.findIndex((value) => !Number.isFinite(value));
  if (notANumber !== -1) throw new Error(`Not a number in row: ${rows[notANumber]}`);
  const largest = values.reduce((best, value, at) => value > values[best]! ? at : best, 0);
  return {
    rows: values.length,
    sum: values.reduce((sum, value) => sum + value, 0),
    smallest: values.reduce((least, value) => Math.min(least, value)),
    largest: values[largest]!,
    row_of_largest: rows[largest]!,
  };
}
