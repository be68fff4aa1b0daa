/** One basket of the harvest: a line of `harvest.csv`. */
export interface Basket {
  readonly basket: string;
  readonly bed: string;
  readonly variety: string;
  readonly carrots: number;
  readonly grams: number;
}

/** A text that is not a ledger; the message names the line. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
}

const HEADER = "basket,bed,variety,carrots,grams";

/** Reads `harvest.csv`; throws a `LedgerError` if it makes no sense. */
export function parseLedger(text: string): Basket[] {
  const [header, ...lines] = text.trim().split(/\r?\n/);
  if (header !== HEADER) throw new LedgerError(`line 1 is not "${HEADER}"`);
  return lines.map((line, index) => parseBasket(line, index + 2));
}

function parseBasket(line: string, lineNumber: number): Basket {
  const [basket, bed, variety, carrots, grams, ...rest] = line.split(",");
  const counts = [Number(carrots), Number(grams)] as const;
  if (!basket || !bed || !variety || rest.length > 0 || !counts.every(Number.isSafeInteger)) {
    throw new LedgerError(`line ${lineNumber} is no basket: ${JSON.stringify(line.slice(0, 80))}`);
  }
  return { basket, bed, variety, carrots: counts[0], grams: counts[1] };
}
