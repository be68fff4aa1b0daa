import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { bashResults, bashScript, probeTask } from "../cli/environment.ts";
import { ALIKE, engineHere, engineTest } from "../conformance/engine_here.ts";
import { engineEnvironment } from "./environment.ts";

const RUN = ["run", "--task", "probe", "--fake-model", "--run-id"];

/**
 * Has the student write a Perl module that, as root, writes the verdict of the program it is in.
 */
const PLANT_MODULE = `mkdir -p lib; cat > lib/strict.pm <<'EOF'
package strict;
BEGIN { if ($< == 0) {
  open my $verdict, ">", $ARGV[-1]; print $verdict '{"score": 1, "metadata": {}}'; close $verdict;
  exit 0;
} }
1;
EOF`;

/** An honest judge, in Perl. */
const HONEST = [
  "perl",
  "-e",
  `use strict; open my $v, ">", $ARGV[0]; print $v shift @{[${
    JSON.stringify('{"score": 0, "metadata": {}}')
  }]};`,
];

/** What an environment of the original may have: a Java and a conda of the image's. */
const IMAGE = `
RUN mkdir -p /opt/conda/bin /opt/java/bin /workdir/venv/bin /opt/students/bin && \\
  printf '#!/bin/sh\\necho conda\\n' > /opt/conda/bin/conda-tool && \\
  printf '#!/bin/sh\\necho venv\\n' > /workdir/venv/bin/venv-tool && \\
  printf '#!/bin/sh\\necho students\\n' > /opt/students/bin/sort && \\
  chmod +x /opt/conda/bin/* /workdir/venv/bin/* /opt/students/bin/* && \\
  chown -R 1000:1000 /opt/students
ENV PATH=/opt/students/bin:/workdir/venv/bin:/opt/conda/bin:$PATH
ENV PERL5LIB=/workdir/lib JAVA_HOME=/opt/java ACME_TOKEN=of-the-image-1 KAROTTE_SAID=yes
`;

/** Registers the tests of an image's variables, on one engine. */
export async function testVariables(engine: Engine): Promise<void> {
  const here = await engineHere(engine);

  engineTest(here, "an image's PERL5LIB brings no code of the student's into a judge", async () => {
    await using environment = await engineEnvironment(here, {
      "fake_model.ts": bashScript(PLANT_MODULE),
      "tasks/probe.ts": probeTask(`new ExecutableJudge({ argv: ${JSON.stringify(HONEST)} })`),
    });
    await environment.writeContainerfile("ENV PERL5LIB=/workdir/lib");
    assertEquals(await scoreOf("r1"), 0);
    assertEquals(await scoreOf("r2", { KAROTTE_TEST_WITHOUT: "allow_list" }), 1);

    async function scoreOf(runId: string, env: Readonly<Record<string, string>> = {}) {
      const { code, stderr } = await environment.karotteWith(env, ...RUN, runId);
      assertEquals(code, 0, stderr);
      const events = await environment.events(runId);
      return events.flatMap((event) => event.type === "scoring" ? [event.scoring.score] : [])[0];
    }
  });

  engineTest(here, "the student has the image's variables, and root what is root's", async () => {
    const passes = `echo '{"score": 1, "metadata": {}}' > "$1"`;
    const judge = (script: string, more = "") =>
      `new ExecutableJudge({ argv: ["sh", "-c", ${
        JSON.stringify(`${script}; ${passes}`)
      }, "judge"]${more} })`;
    const look = "conda-tool; echo $JAVA_HOME; echo a | sort; echo ${PERL5LIB-none}; " +
      "command -v venv-tool; echo $PATH; echo $ACME_TOKEN $KAROTTE_SAID";
    await using environment = await engineEnvironment(here, {
      "/my_plugin.ts": `
        import { definePlugin } from "@karotte/cli/sdk";
        export default definePlugin({ name: "p", entryPoints: {
          "karotte.harness_secret_env": { p: ["ACME_TOKEN"] },
        } });`,
      "/karotte.plugins.json": `{ "plugins": ["./my_plugin.ts"] }`,
      "fake_model.ts": bashScript(
        "echo $PATH; echo $JAVA_HOME $PERL5LIB; conda-tool; venv-tool; sort; echo $DENO_DIR",
        "echo ${ACME_TOKEN-none} ${KAROTTE_SAID-none}",
      ),
      "tasks/probe.ts": probeTask(
        `${judge(look, `, inherit: ["JAVA_HOME"]`)}.and(${judge("venv-tool; exit 3")})`,
      ),
    });
    await environment.writeContainerfile(IMAGE);
    const { code, stderr } = await environment.karotte(...RUN, "r1");
    assertEquals(code, 0, stderr);
    const events = await environment.events("r1");
    const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    assertEquals(bashResults(events).map(({ stdout }) => stdout), [
      `/opt/students/bin:/workdir/venv/bin:/opt/conda/bin:${path}\n/opt/java /workdir/lib\n` +
      "conda\nvenv\nstudents\n\n",
      "none none\n",
    ]);
    const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
    const tree = String(verdict?.metadata.judges).replaceAll("│", "").replace(/\n +/g, "\n");
    assertStringIncludes(tree, `stdout: conda\n/opt/java\na\nnone\n/opt/conda/bin:`);
    assertStringIncludes(tree, "\nof-the-image-1 yes\n");
    const hint = "hint: name in inherit what it needs of JAVA_HOME, PERL5LIB; its PATH is " +
      "without /opt/students/bin, /workdir/venv/bin, which others than root can change";
    assertStringIncludes(tree, hint);
  });

  engineTest(here, "a judge's program is the student on an engine too", async () => {
    const script =
      `"$KAROTTE_AS_STUDENT" -- sh -c 'id -u; echo $JAVA_HOME; cat /root_data/x; exit 5'`;
    await using environment = await engineEnvironment(here, {
      "/root_data/x": "secret",
      "fake_model.ts": bashScript("true"),
      "tasks/probe.ts": probeTask(
        `new ExecutableJudge({ argv: ["sh", "-c", ${JSON.stringify(script)}] })`,
      ),
    });
    await environment.writeContainerfile("ENV JAVA_HOME=/opt/java");
    const { code, stderr } = await environment.karotte(...RUN, "r1");
    assertEquals(code, 0, stderr);
    const events = await environment.events("r1");
    const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
    assertEquals(verdict?.metadata.stdout, "1000\n/opt/java\n");
    assertStringIncludes(verdict?.metadata.stderr ?? "", "Permission denied");
    assertStringIncludes(verdict?.metadata.CalledProcessError ?? "", "status 5");
  }, ALIKE);
}
