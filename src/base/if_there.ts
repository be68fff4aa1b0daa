/** What a look at the file system finds; undefined if there is nothing at its path. */
export async function ifThere<Found>(look: Promise<Found>): Promise<Found | undefined> {
  try {
    return await look;
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

/** The same for a look that does not wait. */
export function ifThereSync<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Deno.errors.NotFound) return undefined;
  throw error;
}
