import { isMissed, type Measured } from "./measured.ts";
import { significant } from "./samples.ts";

/** One line for each: what, figure, target, verdict, and what the figure was made from. */
export function table(found: readonly Measured[]): string {
  const rows = [["what", "figure", "target", "", ""], ...found.map(row)];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd())
    .join("\n");
}

function row(measured: Measured): string[] {
  if (!("value" in measured)) return [measured.what, "-", "-", "left out", measured.reason];
  const { what, value, unit, target, detail } = measured;
  const verdict = isMissed(measured) ? "MISSED" : "ok";
  return [what, `${significant(value)} ${unit}`, `${significant(target)} ${unit}`, verdict, detail];
}
