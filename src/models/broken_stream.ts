/** A stream is no whole turn: it broke off, said nothing, or its provider gave up on it. */
export class BrokenStreamError extends Error {
  override readonly name = "BrokenStreamError";
}
