/** What `body` failed with; undefined if it did not. */
export async function faultOf(body: () => Promise<unknown>): Promise<unknown> {
  try {
    await body();
    return undefined;
  } catch (error) {
    return error ?? new Error("unknown error");
  }
}
