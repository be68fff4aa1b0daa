import { KarotteError } from "../../base/errors.ts";
import { type IdBlock, parseAccounts, parseSubordinateIds, readIfThere } from "./accounts.ts";

/** Ids of one sandbox. */
export const RANGE_SIZE = 65_536;
/**
 * Where ranges are taken from: multiples of 65536 above what systemd hands out by itself (its
 * containers end at 1878982656, uids-gids documentation of systemd) and below 2^31.
 */
export const FIRST_RANGE = 1_879_048_192;
const RANGES = (2_147_483_648 - FIRST_RANGE) / RANGE_SIZE;

export interface IdRange extends Disposable {
  readonly start: number;
}

/**
 * Ranges of this process. Other processes pick at random from 4096; nothing is shared by a clash.
 */
const claimed = new Set<number>();

/**
 * A range of host ids that no account, group or grant of subordinate ids touches, and that no other
 * sandbox of this process has. Disposing gives it back.
 */
export function claimIdRange(taken: readonly IdBlock[] = takenOnThisHost()): IdRange {
  const offset = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  for (let step = 0; step < RANGES; step++) {
    const start = FIRST_RANGE + ((offset + step) % RANGES) * RANGE_SIZE;
    if (claimed.has(start) || taken.some((block) => overlaps(block, start))) continue;
    claimed.add(start);
    return { start, [Symbol.dispose]: () => void claimed.delete(start) };
  }
  throw new KarotteError("runtime", "Cannot find host ids for a sandbox: all are in use", {
    hint: `Free ids from ${FIRST_RANGE} up in /etc/subuid and /etc/subgid.`,
  });
}

function overlaps(block: IdBlock, start: number): boolean {
  return block.start < start + RANGE_SIZE && start < block.start + block.count;
}

function takenOnThisHost(): IdBlock[] {
  return [
    ...["/etc/subuid", "/etc/subgid"].flatMap((file) => parseSubordinateIds(readIfThere(file))),
    ...["/etc/passwd", "/etc/group"].flatMap((file) =>
      parseAccounts(readIfThere(file)).map(({ name, id }) => ({ owner: name, start: id, count: 1 }))
    ),
  ];
}
