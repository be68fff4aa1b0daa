import { type ErrorCode, KarotteError } from "../base/errors.ts";

/** Runs code that serves plugins and environments alike: its errors get the code of this use. */
export async function withErrorCode<T>(code: ErrorCode, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof KarotteError) || error.code === code) throw error;
    const { message, hint, cause } = error;
    throw new KarotteError(code, message, hint === undefined ? { cause } : { hint, cause });
  }
}
