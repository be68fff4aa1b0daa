import { assertEquals } from "@std/assert";
import { rootVariables, variablesAsData } from "./root_variables.ts";

const own = { temporaryFolder: "/var/lib/karotte/tmp", asStudent: "/var/lib/karotte/run" };
const FIXED = {
  HOME: "/root",
  LANG: "C.UTF-8",
  TMPDIR: "/var/lib/karotte/tmp",
  PYTHONSAFEPATH: "1",
  PYTHONNOUSERSITE: "1",
  KAROTTE_AS_STUDENT: "/var/lib/karotte/run",
};

Deno.test("root's programs get listed variables, whatever image, run and process have", async () => {
  const sources = {
    inherited: {
      HOME: "/workdir",
      PATH: "/usr/bin:/bin",
      LC_ALL: "C.UTF-8",
      DENO_DIR: "/opt/karotte/cache",
      KAROTTE_SANDBOX: "runc",
      PERL5LIB: "/workdir/lib",
      FROM_CLUSTER: "x",
      DENO_NODE_SHIM_ACTIVE: "1",
    },
    image: {
      PATH: "/no/such/conda/bin:/usr/bin:.:/tmp",
      PERL5LIB: "/workdir/lib",
      JAVA_HOME: "/opt/java",
      TOKEN: "of the image",
    },
    run: { PYTHONPATH: "/workdir", TOKEN: "of the run", HOME: "/workdir", KAROTTE_AS_STUDENT: "x" },
    withheld: ["TOKEN", "PYTHONSAFEPATH", "NOT_SET"],
  };
  assertEquals(await rootVariables(sources, own), {
    TOKEN: "of the run",
    DENO_DIR: "/opt/karotte/cache",
    KAROTTE_SANDBOX: "runc",
    PATH: "/usr/bin",
    ...FIXED,
  });
  assertEquals(variablesAsData(sources), {
    FROM_CLUSTER: "x",
    PATH: "/no/such/conda/bin:/usr/bin:.:/tmp",
    PERL5LIB: "/workdir/lib",
    JAVA_HOME: "/opt/java",
    PYTHONPATH: "/workdir",
    HOME: "/workdir",
    KAROTTE_AS_STUDENT: "x",
  });
});

Deno.test("an image whose PATH has nothing of root's alone gets the usual one", async () => {
  const sources = { inherited: {}, image: { PATH: "bin:/tmp" }, run: {}, withheld: [] };
  const { PATH } = await rootVariables(sources, own);
  assertEquals(PATH?.split(":").includes("/usr/bin"), true);
});
