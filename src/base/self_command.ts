import { fileURLToPath } from "node:url";

/**
 * The argv that starts this very program again: the compiled binary itself, or Deno with our
 * one-file bundle.
 */
export function selfCommand(): readonly string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  return denoCommand(Deno.execPath(), fileURLToPath(Deno.mainModule));
}

/**
 * Runs a one-file bundle with nothing of the machine's: no config, no lock, no network. Without
 * `rights`, which are flags of Deno, it may do everything.
 */
export function denoCommand(
  deno: string,
  bundle: string,
  rights: readonly string[] = ["--allow-all"],
): readonly string[] {
  return [
    deno,
    "run",
    ...rights,
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--no-npm",
    // A large message makes the young generation grow to 16 MB a space, and it never shrinks.
    "--v8-flags=--max-semi-space-size=4",
    "--quiet",
    bundle,
  ];
}
