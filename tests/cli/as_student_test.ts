import { assertEquals } from "@std/assert";
import { bashScript, probeTask, testEnvironment } from "./environment.ts";

/** Runs a shell script as a judge that passes, and returns its sections by their names. */
async function judged(script: string, { plan = "true", python = false } = {}) {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(plan),
    "tasks/probe.ts": probeTask(
      `new ExecutableJudge({ argv: [${
        python ? '"python3"' : '"sh"'
      }, "/opt/karotte/private/environment/scoring/check"] })`,
    ),
    "scoring/check": script,
  });
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(verdict?.score, 1, JSON.stringify(verdict?.metadata));
  const sections = String(verdict?.metadata.stdout).split(/^== (.*)\n/m).slice(1);
  return Object.fromEntries(
    sections.flatMap((name, index) => index % 2 === 0 ? [[name, sections[index + 1] ?? ""]] : []),
  );
}

const PASSES = `echo '{"score": 1, "metadata": {}}' > "$1"\n`;

Deno.test("a program that a judge starts as the student has the student's rights only", async () => {
  const said = await judged(
    `
    exec 9>/root_data/open; umask 077
    echo "== rights"; "$KAROTTE_AS_STUDENT" -- sh -c '
      grep -E "^(Uid|Gid|Groups|CapPrm|CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status
      ls /root_data /var/lib/karotte /root 2>&1 | grep -c denied
      (echo x > /proc/$PPID/oom_score_adj) 2>/dev/null; cat /proc/self/oom_score_adj'
    echo "== session"; "$KAROTTE_AS_STUDENT" -- sh -c '
      echo $(($(cut -d " " -f 6 /proc/$$/stat) == $$))'
    echo "== descriptors"; "$KAROTTE_AS_STUDENT" -- bash -c '
      for ((n = 0; n < 1024; n++)); do [ ! -e /proc/$$/fd/$n ] || echo "fd/$n"; done'
    echo "== variables"; "$KAROTTE_AS_STUDENT" -- env | sort
    echo "== files"; "$KAROTTE_AS_STUDENT" -- sh -c 'pwd; umask; echo $OLDPWD'
    cd /workdir/made && "$KAROTTE_AS_STUDENT" -- ./program a "b c"
    cd /root_data && "$KAROTTE_AS_STUDENT" -- pwd
    ${PASSES}`,
    {
      plan: "mkdir made; printf '#!/bin/sh\npwd\nprintf %%s, \"$@\"\n' > made/program; " +
        "chmod +x made/program",
    },
  );
  const none = "0000000000000000";
  assertEquals(said.rights?.replace(/[\t ]+\n/g, "\n").replaceAll("\t", " ").split("\n"), [
    "Uid: 1000 1000 1000 1000",
    "Gid: 1000 1000 1000 1000",
    "Groups:",
    `CapPrm: ${none}`,
    `CapEff: ${none}`,
    `CapBnd: ${none}`,
    "NoNewPrivs: 1",
    "Seccomp: 2",
    "3",
    "1000",
    "",
  ]);
  assertEquals(said.session, "1\n");
  assertEquals(said.descriptors?.match(/fd\/(\d+)/g), ["fd/0", "fd/1", "fd/2"]);
  const names = said.variables?.trim().split("\n").map((line) => line.split("=")[0]);
  const students =
    "GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 HOME KAROTTE_CONTAINERIZED KAROTTE_WORKDIR LANG LOGNAME PATH PWD SHLVL USER";
  assertEquals(names?.filter((name) => name !== "_").join(" "), students);
  assertEquals(said.files, "/workdir\n0022\n\n/workdir/made\na,b c,/workdir\n");
});

Deno.test("streams, statuses and limits of a program pass through", async () => {
  const said = await judged(`
    as() { "$KAROTTE_AS_STUDENT" "$@"; }
    echo "== statuses"
    for program in 'exit 0' 'exit 3' 'kill -9 $$' 'kill -TERM $$' 'exit 124'; do
      as -- sh -c "$program"; echo $?; done
    as -- /no/such 2>/dev/null; echo $?; as --nonsense -- true 2>/dev/null; echo $?
    echo "== streams"; printf 'one\\ntwo' | as -- sh -c 'cat; echo e >&2' 2>/root_data/errors
    echo; cat /root_data/errors; stat -c %u /root_data/errors
    as -- sh -c 'for i in 1 2 3 4 5; do echo o$i; echo e$i >/dev/stderr; done; echo o >/dev/stdout' 2>&1
    echo "== pipe"; as -- sh -c 'while echo y; do :; done' | head -n 1
    echo "== much"; as -- head -c 30000000 /dev/zero | wc -c
    echo "== memory"; as --memory 200000000 -- python3 -c 'x = b"x" * 1000000000' 2>&1 | tail -n 1
    echo "== time"; as --timeout 0.5 -- sh -c 'echo begun; sleep 60' 2>&1; echo $?
    ${PASSES}`);
  assertEquals(said.statuses, "0\n3\n137\n143\n124\n127\n125\n");
  const both = [1, 2, 3, 4, 5].map((index) => `o${index}\ne${index}\n`).join("");
  assertEquals(said.streams, `one\ntwo\ne\n0\n${both}o\n`);
  assertEquals([said.pipe, said.much, said.memory], ["y\n", "30000000\n", "MemoryError\n"]);
  assertEquals(said.time, "begun\nkarotte: the student's program was ended after 0.5 s\n124\n");
});

/** Starts processes that do what they can to stay: other sessions, no parent, no signals. */
const STAYS = "trap '' TERM HUP; sleep 611 & setsid sleep 612 & " +
  "(setsid sh -c 'trap \"\" TERM HUP; sleep 613; :' &) ; ";

Deno.test("what a program leaves is killed when it ends, and when its caller is killed", async () => {
  const said = await judged(
    `
import os, signal, subprocess, sys, time
as_student = os.environ["KAROTTE_AS_STUDENT"]
def left():
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try: line = open(f"/proc/{pid}/cmdline").read()
        except OSError: continue
        if "sleep\\0" in line and "61" in line: found.append(line)
    return len(found)
def none_left():
    deadline = time.monotonic() + 20
    while left() and time.monotonic() < deadline: time.sleep(0.05)
    return left()
stays = ${JSON.stringify(STAYS)}
print("== ended", flush=True)
subprocess.run([as_student, "--", "sh", "-c", stays + "sleep 0.3"], capture_output=True)
print(left())
print("== killed", flush=True)
try:
    subprocess.run([as_student, "--", "sh", "-c", stays + "echo here; while :; do sleep 614; done"],
        capture_output=True, timeout=4)
except subprocess.TimeoutExpired as error:
    print(error.stdout)
print(none_left())
print("== terminated", flush=True)
child = subprocess.Popen([as_student, "--", "sh", "-c", stays + "echo here; sleep 615"],
    stdout=subprocess.PIPE)
print(child.stdout.readline(), left() > 0)
child.terminate()
print(child.wait(), none_left())
open(sys.argv[1], "w").write('{"score": 1, "metadata": {}}')
`,
    { python: true },
  );
  assertEquals(said.ended, "0\n");
  assertEquals(said.killed, "b'here\\n'\n0\n");
  assertEquals(said.terminated, "b'here\\n' True\n-15 0\n");
});

Deno.test("a judge that ends leaves no program of the student's, and the student can't end it", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript("true"),
    "tasks/probe.ts": probeTask(
      `new ExecutableJudge({ argv: ["sh", "-c", ${
        JSON.stringify(
          `"$KAROTTE_AS_STUDENT" -- sh -c "${STAYS.replaceAll('"', '\\"')} sleep 616" & ` +
            `for i in $(seq 200); do pgrep -x sleep >/dev/null && break; sleep 0.1; done; ` +
            `"$KAROTTE_AS_STUDENT" -- sh -c 'kill -9 -1; kill -9 $PPID; true'; echo '{"score": 1, "metadata": {}}' > "$1"`,
        )
      }, "judge"] }).and(new Left())`,
      {
        before: `class Left extends Judge {
          override async evaluate() {
            const count = () => [...Deno.readDirSync("/proc")].filter(({ name }) => {
              try { return Deno.readTextFileSync("/proc/" + name + "/cmdline").includes("sleep\\x0061"); }
              catch { return false; }
            }).length;
            for (let i = 0; i < 200 && count() > 0; i++) await new Promise((r) => setTimeout(r, 50));
            return scoring(count() === 0 ? 1 : 0);
          }
        }`,
      },
    ),
  });
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(verdict?.score, 1, String(verdict?.metadata.judges));
});

Deno.test("a Makefile starts the student's program with one variable", async () => {
  await using environment = await testEnvironment({
    "/root_data/Makefile": "check:\n\t$(KAROTTE_AS_STUDENT) -- ./solve > $(TMPDIR)/out\n" +
      '\ttest "$$(cat $(TMPDIR)/out)" = 42\n',
    "fake_model.ts": bashScript("printf '#!/bin/sh\necho 42\n' > solve; chmod +x solve"),
    "tasks/probe.ts": probeTask(
      `new ExecutableJudge({ argv: ["sh", "-c", ${
        JSON.stringify(`make -s -f /root_data/Makefile check && ${PASSES.trim()}`)
      }, "judge"] })`,
    ),
  });
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(verdict?.score, 1, JSON.stringify(verdict?.metadata));
});
