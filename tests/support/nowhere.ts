/** An absolute path at which no machine has anything. */
export const NOWHERE = `/nowhere-${crypto.randomUUID()}`;
