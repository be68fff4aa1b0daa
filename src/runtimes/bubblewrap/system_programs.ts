import { type Run, run } from "../../base/process.ts";
import { isInFolders } from "../host_files.ts";
import { ENVIRONMENT } from "./confinement.ts";

/**
 * All that the programs which start a sandbox see of the caller's environment, whose `PATH` may
 * name folders that others can write: they run with the caller's rights and make the walls.
 */
export const SYSTEM_ENVIRONMENT = {
  PATH: ENVIRONMENT["PATH"] ?? "",
  LC_ALL: "C",
} as const;

/** Runs a program of the system, which gets nothing of the caller's environment. */
export const runOfSystem: Run = (argv, options) =>
  run(argv, { ...options, clearEnv: true, env: SYSTEM_ENVIRONMENT });

/** Whether a program is in one of the system's folders. */
export function isOfSystem(program: string): Promise<boolean> {
  return isInFolders(program, SYSTEM_ENVIRONMENT.PATH);
}
