import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { tempDir } from "../../src/base/temp_dir.ts";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { bashResults, bashScript, probeTask } from "../cli/environment.ts";
import { karotte, startKarotte } from "../cli/karotte.ts";
import { ALIKE, BASE_IMAGE, engineHere, engineTest } from "../conformance/engine_here.ts";
import { eventually, processesWith, waitFor } from "../conformance/lab.ts";
import { engineEnvironment, removeImages } from "./environment.ts";

const RUN = ["run", "--task", "probe", "--fake-model", "--run-id"];

/** A base with everything in it that an image of Karotte must not keep. */
const HOSTILE_BASE = `
RUN groupadd -g 1000 node && useradd -m -u 1000 -g node -G sudo,shadow -p secret node && \\
  echo node:100000:65536 > /etc/subuid && echo mail > /var/mail/node && \\
  mkdir -p /opt/karotte/cache && echo x > /opt/karotte/cache/planted
SHELL ["/bin/bash", "-c"]
ENTRYPOINT ["/bin/false"]
CMD ["no"]
WORKDIR /home/node
USER node
`;

const LOOK_AT_MOUNT = [
  {
    tool_calls: [{
      function: {
        name: "bash",
        arguments: JSON.stringify({ command: "cat /extra; sudo -n true; echo x > /extra" }),
      },
    }],
  },
  { content: "done" },
];

/** Registers the tests of images, and of runs on them, on one engine. */
export async function testImages(engine: Engine): Promise<void> {
  const here = await engineHere(engine);
  const { caller } = here;

  engineTest(here, "the example of a new environment runs to the full score", async () => {
    await using dir = await tempDir();
    const path = `${dir.path}/example ${dir.path.slice(-8)}`;
    assertEquals((await karotte(["create-env", path], { cwd: dir.path })).code, 0);
    await Deno.writeTextFile(`${path}/Containerfile`, `FROM ${BASE_IMAGE}\n`);
    try {
      const args = ["run", "--task", "example_task", "--fake-model", "--run-id", "r1"];
      // The default is docker; podman where docker's daemon is down.
      const down = engine.name === "docker" ? {} : { DOCKER_HOST: "tcp://127.0.0.1:1" };
      const env = { ...caller.variables, ...down, KAROTTE_RUNTIME: "" };
      const { code, stdout, stderr } = await karotte(args, { cwd: path, env });
      assertEquals(code, 0, stderr);
      assertMatch(stdout, /^run r1: passed\n {2}step 0: score 1\n {2}step 1: score 1\n/);
      assertStringIncludes(stderr, `runtime: ${engine.name} `);
    } finally {
      await removeImages(here, path);
    }
  });

  engineTest(here, "any base becomes the student's: uid 1000 taken, USER, ENTRYPOINT", async () => {
    await using environment = await engineEnvironment(here, {
      "/root_data/answer": "42",
      "/student_data/task.txt": "mine",
      "/shared_data/book.txt": "shared",
      "fake_model.ts": bashScript(
        "id; grep -c node /etc/passwd /etc/group /etc/subuid; ls /var/mail; pwd; echo $HOME",
        "cat /opt/karotte/private/bundle/environment.js; ls /root_data /var/lib/karotte /opt/karotte/cache; true",
        "cat data/task.txt shared/book.txt; touch shared/x shared/book.txt; mv shared mine",
        "stat -c '%U %a %n' /workdir /workdir/data /workdir/shared /opt/karotte/bin; tail -n 1 /etc/passwd",
      ),
      "tasks/probe.ts": probeTask("new Look()", {
        before: `
        class Look extends Judge {
          override async evaluate() {
            const answer = await Deno.readTextFile("/root_data/answer");
            const shadow = await Deno.readTextFile("/etc/shadow");
            const cache = Array.from(Deno.readDirSync("/opt/karotte/cache"), ({ name }) => name);
            return scoring(Number(answer) === 42 ? 1 : 0, { shadow, cache });
          }
        }`,
      }),
    });
    await environment.writeContainerfile(HOSTILE_BASE);
    const { code, stderr } = await environment.karotte(...RUN, "r1");
    assertEquals(code, 0, stderr);
    const events = await environment.events("r1");
    const results = bashResults(events).map((result) => JSON.stringify(result));
    const [who = "", secrets = "", data = "", places = ""] = results;
    assertStringIncludes(who, "uid=1000(student) gid=1000(student) groups=1000(student)\\n");
    assertStringIncludes(who, "/etc/passwd:0\\n/etc/group:0\\n/etc/subuid:0\\n/workdir\\n/workdir");
    assertEquals(secrets.match(/Permission denied/g)?.length, 4, secrets);
    assertStringIncludes(data, "mineshared");
    assertEquals(data.match(/Permission denied|not permitted/g)?.length, 3, data);
    assertStringIncludes(
      places,
      "root 1777 /workdir\\nroot 775 /workdir/data\\nroot 755 /workdir/shared\\n" +
        "root 755 /opt/karotte/bin\\nstudent:x:1000:1000::/workdir:/bin/bash",
    );
    const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
    assertEquals(verdict?.score, 1);
    assertStringIncludes(String(verdict?.metadata.shadow), "student:*:");
    assert(!String(verdict?.metadata.shadow).includes("node:"), "node is still in shadow");
    const cache = String(verdict?.metadata.cache);
    assert(cache.includes("v8_code_cache") && !cache.includes("planted"), cache);
  }, ALIKE);

  engineTest(here, "an environment that has not changed is not built again", async () => {
    await using environment = await engineEnvironment(here, {
      "/extra": "one",
      "/root_data/answer": "42",
      "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
    });
    await environment.writeContainerfile("RUN date +%N > /built\nCOPY extra /extra");
    const build = async (...args: string[]) => {
      const { code, stdout, stderr } = await environment.karotte("build", ...args);
      assertEquals(code, 0, stderr);
      const [, tag, id] = /^image: (\S+)\nid: (\S+)\n/.exec(stdout) ?? [];
      return { tag, id, unchanged: stdout.endsWith("unchanged\n"), stderr };
    };
    const first = await build();
    assertEquals(first.unchanged, false);
    assertMatch(first.tag ?? "", /^karotte\/karotte_environment_\w+:[0-9a-f]{12}$/);
    assertStringIncludes(first.stderr, "image: step 3/4: RUN date");
    const again = await build();
    assertEquals([again.id, again.unchanged], [first.id, true]);
    assert(!again.stderr.includes("image: step 3/4"), again.stderr);
    await environment.write("/root_data/answer", "43");
    const other = await build("--tag", `${(first.tag ?? "").split(":")[0]}:mine`);
    assertEquals([other.unchanged, other.id === first.id], [false, false]);
    assertMatch(other.tag ?? "", /:mine$/);
    await environment.write("/root_data/answer", "42");
    assertEquals((await build()).id, first.id);
    await environment.write("/extra", "two");
    assertEquals((await build()).unchanged, false);
  });

  engineTest(here, "a failing step is shown with its last lines and the log", async () => {
    await using environment = await engineEnvironment(here, {
      "fake_model.ts": bashScript(),
      "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
    });
    await environment.writeContainerfile(
      "RUN echo fine\nRUN seq 5000; echo the reason; false\nRUN true",
    );
    const { code, stdout, stderr } = await environment.karotte(...RUN, "r1");
    assertEquals([code, stdout], [1, ""]);
    assertMatch(
      stderr,
      /error: Cannot build the image of ".*": step 4\/5: RUN seq 5000.* failed\n/,
    );
    const [, said = ""] = stderr.split("error: Cannot build");
    assertStringIncludes(said, "  | the reason\n");
    assert(!said.includes("  | 4900\n") && said.includes("  | 5000\n"), said);
    const [, log = ""] = /hint: The whole log: (\S+)/.exec(stderr) ?? [];
    assertStringIncludes(await Deno.readTextFile(log), "\n4900\n");
    const names = [...Deno.readDirSync(environment.path)].map(({ name }) => name);
    assert(!names.includes("out"), "a run was recorded");
  });

  engineTest(here, "Ctrl-C ends a build and leaves nothing at work", async () => {
    await using environment = await engineEnvironment(here, {
      "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
    });
    await environment.writeContainerfile(`RUN echo begun; sleep 600 # ${environment.path}`);
    const build = startKarotte(["build", "--runtime", engine.name], {
      cwd: environment.path,
      env: caller.variables,
    });
    try {
      await waitFor(build.stderr, "  | begun");
      Deno.kill(build.pid, "SIGINT");
      await waitFor(build.stderr, "error: Interrupted by SIGINT\n");
      assertEquals((await build.status).code, 130);
    } finally {
      build.kill("SIGKILL");
      await Promise.all([build.stdout.cancel(), build.stderr.cancel()]);
    }
    const label = `label=karotte.test=${environment.path}`;
    const list = ["ps", "--all", "--quiet", "--filter", label];
    assert(await eventually(async () => await caller.ask("list", list) === ""), "a step goes on");
    // The builder has the path in its command line, and so has the shell of the step.
    const left = () => processesWith(environment.path);
    assert(await eventually(() => left().length === 0), "the build goes on");
  });

  engineTest(
    here,
    "an image that lacks what Karotte needs, or holds secrets, is refused",
    async () => {
      await using environment = await engineEnvironment(here, {
        "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
      });
      const refusals: readonly (readonly [string, RegExp])[] = [
        ["RUN rm -f /usr/bin/bash", /: the image has no \/bin\/bash\nhint: Install bash/],
        [`RUN ["/bin/bash", "-c", "rm /usr/bin/sh"]`, /: the image has no \/bin\/sh\n/],
        ["RUN echo x > /root/.netrc", /There are credentials in the image:.*\n.*\/root\/\.netrc/],
        ["VOLUME /workdir", /"\/workdir" is a volume in it/],
        ["RUN ln -s /tmp /workdir", /Cannot /],
      ];
      for (const [line, expected] of refusals) {
        await environment.writeContainerfile(line);
        const { code, stdout, stderr } = await environment.karotte("build");
        assert(code === 1 || code === 2, `${line}: ${code} ${stderr}`);
        assertEquals([line, stdout], [line, ""]);
        assertMatch(stderr, expected, line);
      }
      await environment.writeContainerfile("");
      await environment.write("tasks/probe.ts", "export default 1;");
      const { code, stderr } = await environment.karotte("build");
      assertEquals(code, 1, stderr);
      assertStringIncludes(stderr, "Cannot find a task in the environment");
    },
    ALIKE,
  );

  engineTest(
    here,
    "of several runs on a named image one that fails disturbs no other",
    async () => {
      await using environment = await engineEnvironment(here, {
        "/deno.json": JSON.stringify({
          imports: { "@karotte/cli/sdk": "jsr:@karotte/cli@^0.1/sdk" },
          karotte: { image: BASE_IMAGE },
        }),
        "fake_model.ts": `
        export const getMessages = ({ run_id }) => {
          if (run_id === "r-1") throw new Error("not this one");
          return ${JSON.stringify(LOOK_AT_MOUNT)};
        };`,
        "/extra": "mounted",
        "/karotte.plugins.json": `{ "plugins": ["./acme.ts"] }`,
        "/acme.ts": `
        import { definePlugin } from "@karotte/cli/sdk";
        export default definePlugin({
          name: "acme",
          entryPoints: {
            "karotte.container_run_args": { acme: () => ["--cap-add", "SYS_PTRACE"] },
          },
        });`,
        "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
      });
      const args = [...RUN, "r", "-n", "3", "--max-parallel", "2", "--mount", "extra:/extra:ro"];
      const { code, stdout, stderr } = await environment.karotte(...args);
      assertEquals(code, 1, stderr);
      const statuses = stdout.split("\n").filter((line) => line.startsWith("run "));
      assertEquals(statuses, ["run r-0: passed", "run r-1: error", "run r-2: passed"]);
      const events = await environment.events("r_0");
      const [mounted] = bashResults(events).map((result) => JSON.stringify(result));
      assertMatch(mounted ?? "", /"mounted".*Read-only file system/);
      const warning = 'container_run_args of "acme" weaken the sandbox: --cap-add SYS_PTRACE';
      assertStringIncludes(stderr, `warning: ${warning}`);
      assertStringIncludes(JSON.stringify(events[1]), JSON.stringify(warning).slice(1, -1));
      const left = await caller.ask("list", [
        "ps",
        "--all",
        "--filter",
        "name=karotte_run_r-",
        "-q",
      ]);
      assertEquals(left, "");
    },
    ALIKE,
  );
}
