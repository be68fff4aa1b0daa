/**
 * The program that runs in sandboxes, gzipped and in base64, for a package from JSR: it has no
 * files on disk to make one from. `deno task package` writes it; in the source tree there is none.
 */
export const PUBLISHED_PROGRAM: string | undefined = undefined;
