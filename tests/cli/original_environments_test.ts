import { assertEquals } from "@std/assert";
import { bashResults, bashScript, probeTask, testEnvironment } from "./environment.ts";

/**
 * What a student leaves in environments that were written for the Python original: it must cost
 * nothing. A server is in step_end_test.ts, an image's conda in tests/engines/variables.ts.
 */
const FORMS: Readonly<Record<string, { left: string; look: string; shows: string }>> = {
  "a venv": {
    left: `mkdir -p .venv/bin .venv/lib; echo home = /usr/bin > .venv/pyvenv.cfg
      ln -s /usr/bin/env .venv/bin/python3; ln -s python3 .venv/bin/python; ln -s lib .venv/lib64`,
    look: "/workdir/.venv/bin/python echo it runs; readlink /workdir/.venv/lib64",
    shows: "it runs\nlib\n",
  },
  "node_modules": {
    left: `mkdir -p node_modules/.bin node_modules/tool /tmp/store
      printf '#!/bin/sh\\necho tool\\n' > node_modules/tool/cli; chmod +x node_modules/tool/cli
      ln -s ../tool/cli node_modules/.bin/tool; ln -s /workdir node_modules/self
      ln -s /tmp/store node_modules/.store; ln -s ../gone node_modules/.bin/dangling`,
    look: "/workdir/node_modules/.bin/tool; ls /workdir/node_modules/.bin",
    shows: "tool\ndangling\ntool\n",
  },
  "logs of an nginx": {
    left: `mkdir -p nginx/logs; ln -s /dev/stdout nginx/logs/access.log
      ln -s /dev/stderr nginx/logs/error.log; ln -s /dev/null nginx/logs/other.log
      echo said > nginx/logs/access.log`,
    look: "readlink /workdir/nginx/logs/*; echo root > /workdir/nginx/logs/access.log",
    shows: "/dev/stdout\n/dev/stderr\n/dev/null\nroot\n",
  },
};

/** As the original's judges do it: root reads below `/workdir`, and runs what is there. */
const judgeOf = (look: string) => `
  class Looking extends Judge {
    override async evaluate() {
      const answer = await Deno.readTextFile("/workdir/answer.txt");
      const args = ["-c", ${JSON.stringify(look)}];
      const { stdout } = await new Deno.Command("/bin/sh", { args }).output();
      return scoring(answer === "42\\n" ? 1 : 0, { shown: new TextDecoder().decode(stdout) });
    }
  }`;

for (const [name, { left, look, shows }] of Object.entries(FORMS)) {
  Deno.test(`an environment of the original with ${name} scores as before`, async () => {
    await using environment = await testEnvironment({
      "/student_data/given": "",
      "fake_model.ts": bashScript("echo 42 > answer.txt", `set -e\n${left}`),
      "tasks/probe.ts": probeTask("new Looking()", { before: judgeOf(look) }),
    });
    const { code, events, stderr } = await environment.run();
    assertEquals(bashResults(events).map(({ exit_code }) => exit_code), [0, 0], stderr);
    const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
    assertEquals([code, verdict?.score, verdict?.metadata.shown], [0, 1, shows], stderr);
    assertEquals(events.filter(({ type }) => type === "student_links"), []);
  });
}
