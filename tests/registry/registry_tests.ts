import { type Registry, startRegistry } from "./registry.ts";
import { verdaccioFolder } from "./verdaccio.ts";

export interface RegistryTests {
  /** The server of this file's tests. */
  registry(): Registry;
  /** A test that is visibly ignored where the server can't be installed. */
  test(name: string, fn: () => Promise<void>): void;
}

/** On Deno 2.6 connections that npm's code keeps for the next request count as leaks. */
export const sanitizeResources = !Deno.version.deno.startsWith("2.6.");

/** One registry server for all tests of a file; they publish packages of different names. */
export async function registryTests(): Promise<RegistryTests> {
  const verdaccio = await verdaccioFolder();
  let running: Registry | undefined;
  Deno.test.beforeAll(async () => {
    if (verdaccio !== undefined) running = await startRegistry(verdaccio);
  });
  Deno.test.afterAll(async () => await running?.[Symbol.asyncDispose]());
  return {
    registry() {
      if (running === undefined) throw new Error("The registry runs during tests only");
      return running;
    },
    test: (name, fn) => Deno.test({ name, ignore: verdaccio === undefined, sanitizeResources, fn }),
  };
}
