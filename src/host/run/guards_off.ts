import { KarotteError } from "../../base/errors.ts";
import { warn } from "../../base/log.ts";
import { type Guard, GUARDS } from "../../protocol/guards.ts";

/** The variable of the host's own process that names guards, between commas. */
export const TEST_WITHOUT = "KAROTTE_TEST_WITHOUT";

/**
 * Returns the guards that runs of this process do without, for the trick suite: none where
 * `KAROTTE_TEST_WITHOUT` is unset. Never silent: it warns here, and the harness records a warning
 * event for each. Throws a usage error for an unknown name.
 */
export function guardsOff(value: string | undefined = Deno.env.get(TEST_WITHOUT)): Guard[] {
  const names = (value ?? "").split(",").map((name) => name.trim()).filter(Boolean);
  const guards = [...new Set(names)].map((name) => {
    const guard = GUARDS.find((each) => each === name);
    if (guard !== undefined) return guard;
    throw new KarotteError("usage", `Cannot do without "${name}": ${TEST_WITHOUT} names no guard`, {
      hint: `guards are ${GUARDS.join(", ")}; unset it for runs that count`,
    });
  });
  if (guards.length > 0) {
    warn(`${TEST_WITHOUT} switches off ${guards.join(", ")}: SCORES OF THIS RUN CAN BE CHEATED`);
  }
  return guards;
}
