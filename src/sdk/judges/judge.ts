import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";
import { drawTree, type TreeNode } from "./judge_tree.ts";

/** Scores one step from the transcript and the sandbox's state. Runs as root in the sandbox. */
export abstract class Judge {
  /**
   * Scores the step that has just ended. What it throws ends the run with status `error`, except
   * a `StudentMisbehaviorError`.
   */
  abstract evaluate(transcript: Transcript, context: RunContext): Scoring | Promise<Scoring>;

  /** Both in order: the first that ends the run decides, else the last. */
  and(other: Judge): Judge {
    return new CompositeJudge("and", [this, other]);
  }

  /** Both in order: the first that lets the run go on decides, else the last. */
  or(other: Judge): Judge {
    return new CompositeJudge("or", [this, other]);
  }
}

/**
 * Several judges in order, like boolean and/or on `continue_task`: stops at the first verdict that
 * decides. Its metadata is one entry `judges`: a tree of who said what. It stands beside `Judge`
 * because each needs the other.
 */
export class CompositeJudge extends Judge {
  /** `and` stops at the first verdict that ends the run, `or` at the first that does not. */
  readonly operator: "and" | "or";
  /** The judges, in the order in which they are asked. */
  readonly judges: readonly Judge[];

  /** Takes a first judge of the same operator apart. Throws a `TypeError` for an empty list. */
  constructor(operator: "and" | "or", judges: readonly Judge[]) {
    super();
    const [first, ...others] = judges;
    if (first === undefined) throw new TypeError("A composite judge needs at least one judge");
    this.operator = operator;
    this.judges = first instanceof CompositeJudge && first.operator === operator
      ? [...first.judges, ...others]
      : judges;
  }

  /** Asks the judges in order until one decides. */
  override async evaluate(transcript: Transcript, context: RunContext): Promise<Scoring> {
    const { verdict, tree } = await this.#evaluate(transcript, context);
    return { ...verdict, metadata: { judges: drawTree(tree) } };
  }

  async #evaluate(transcript: Transcript, context: RunContext) {
    const deciding = this.operator === "or";
    let verdict: Scoring | undefined;
    const children: TreeNode[] = [];
    for (const judge of this.judges) {
      if (verdict?.continue_task === deciding) {
        children.push({ text: `- ${nameOf(judge)}: not evaluated`, children: [] });
      } else if (judge instanceof CompositeJudge) {
        const result: Evaluated = await judge.#evaluate(transcript, context);
        verdict = result.verdict;
        children.push(result.tree);
      } else {
        verdict = await judge.evaluate(transcript, context);
        children.push({ text: line(verdict, nameOf(judge)), children: leaves(verdict.metadata) });
      }
    }
    // The constructor refuses an empty list.
    const result = verdict as Scoring;
    return { verdict: result, tree: { text: line(result, this.operator), children } };
  }
}

/** Shorthand for a verdict: `scoring(1, { reason: "exact match" }, true)`. */
export function scoring(
  score: number,
  metadata: Record<string, string> = {},
  continueTask: boolean = score > 0,
): Scoring {
  return { score, metadata, continue_task: continueTask };
}

interface Evaluated {
  readonly verdict: Scoring;
  readonly tree: TreeNode;
}

function nameOf(judge: Judge): string {
  return judge instanceof CompositeJudge ? judge.operator : judge.constructor.name || "Judge";
}

function line(verdict: Scoring, name: string): string {
  return `${verdict.continue_task ? "✓" : "✗"} ${name}: ${verdict.score}`;
}

/** An author's judge may have put anything there. */
function leaves(metadata: Readonly<Record<string, unknown>>): TreeNode[] {
  return Object.entries(metadata).map(([key, value]) => ({
    text: `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    children: [],
  }));
}
