import { assertEquals } from "@std/assert";
import { fakeContext } from "../../../tests/support/fake_context.ts";
import { programVariables, variablesHint } from "./program_variables.ts";

const context = fakeContext({
  variables: { JAVA_HOME: "/opt/java", PERL5LIB: "/workdir/lib", PATH: "/workdir/bin:/usr/bin" },
});

Deno.test("a judge's program gets what inherit names, and its own env wins", () => {
  assertEquals(programVariables({}, context), {});
  assertEquals(
    programVariables({ inherit: ["JAVA_HOME", "PERL5LIB", "NO"], env: { PERL5LIB: "" } }, context),
    { JAVA_HOME: "/opt/java", PERL5LIB: "" },
  );
});

Deno.test("what a program may have missed is one line that says what to set", () => {
  assertEquals(
    variablesHint({ env: { PATH: "/usr/bin" } }, context),
    "name in inherit what it needs of JAVA_HOME, PERL5LIB; " +
      "its PATH is without /workdir/bin, which others than root can change",
  );
  assertEquals(
    variablesHint({ inherit: ["PATH", "JAVA_HOME"], env: { PERL5LIB: "" } }, context),
    undefined,
  );
  assertEquals(variablesHint({}, fakeContext()), undefined);
});
