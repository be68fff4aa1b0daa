export const ALL_VARIABLE = "KAROTTE_TEST_ALL";

/** Whether all tests run, also those that the gate leaves out for time. */
export const WHOLE = Deno.env.get(ALL_VARIABLE) === "1";

/** What stands behind the name of a test that is left out; `scripts/test.sh` counts these. */
const LEFT_OUT = `(left out for time: ${ALL_VARIABLE}=1 runs it)`;

/** Registers a test that is visibly left out, unless all run, where `leaveOut` says so. */
export function testUnless(
  leaveOut: boolean,
  name: string,
  fn: (test: Deno.TestContext) => void | Promise<void>,
): void {
  if (WHOLE || !leaveOut) Deno.test(name, fn);
  else Deno.test({ name: `${name} ${LEFT_OUT}`, ignore: true, fn });
}
