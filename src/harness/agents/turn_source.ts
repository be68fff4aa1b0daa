import type { NextTurnOptions } from "../../protocol/host_link.ts";
import type { Turn } from "../../protocol/turn.ts";

/** Where the message loop takes the assistant's turns from: a script, or the host. */
export interface TurnSource {
  /** Returns the next turn of the conversation so far; throws what ends the run. */
  nextTurn(options: NextTurnOptions): Promise<Turn>;
}
