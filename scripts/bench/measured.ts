/** A figure with its target, or why there is none. */
export type Measured = Figure | LeftOut;

export interface Figure {
  readonly what: string;
  readonly value: number;
  /** `x`: a ratio. `MB`: 1,000,000 bytes. */
  readonly unit: "x" | "ms" | "s" | "MB";
  /** The most that `value` may be. */
  readonly target: number;
  /** What the value was made from. */
  readonly detail: string;
}

export interface LeftOut {
  readonly what: string;
  /** Why it could not be measured here. */
  readonly reason: string;
}

export function isMissed(measured: Measured): boolean {
  return "value" in measured && !(measured.value <= measured.target);
}
