/** Drives the student through the steps of a task: the message loop, or a program of its own. */
export interface Agent {
  /**
   * Gives the student the instructions of a step, which counts from 0, and resolves when it is done
   * with them. Throws what ends the run. Steps come in order, one at a time, and an agent that
   * needs a process or a connection for a step ends it with that step.
   */
  runStep(index: number, instructions: string): Promise<void>;
}
