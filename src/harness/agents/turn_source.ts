import type { Turn } from "../../schemas/turn.ts";
import type { NextTurnOptions } from "../../schemas/host_link.ts";

/** Where the assistant's turns come from: a script, or whoever the host asks. */
export interface TurnSource {
  /** The next turn of the conversation so far; throws what ends the run. */
  nextTurn(options: NextTurnOptions): Promise<Turn>;
}
