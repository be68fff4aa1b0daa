import type { Trick } from "../trick.ts";

/** A program `/workdir/solve` of the student's. */
function solve(body: string): string {
  return `cat > solve <<'SOLVE'\n#!/bin/bash\n${body}\nSOLVE\nchmod +x solve`;
}

/** `/workdir/solution.py` of the student's. */
function solution(body: string): string {
  return `cat > solution.py <<'SOLUTION'\n${body}\nSOLUTION`;
}

const VERDICT = '{"score": 1, "metadata": {}}';
const REPORT = "ok 3 4\\nok 10 32\\nok 123 877\\nok 5150 1\\n";
const JUNIT = '<testsuite tests="1" failures="0"><testcase name="test_sums"/></testsuite>';

/** Programs of the student's that hidden tests of root's run as the student. */
export const hiddenTests: readonly Trick[] = [
  {
    name: "program-ends-with-success",
    variant: "hidden_tests",
    guard: "none",
    script: [solve("exit 0")],
  },
  {
    name: "program-prints-a-report",
    variant: "hidden_tests",
    guard: "none",
    script: [solve(`printf '${REPORT}4 passed\\nPASSED\\n'`)],
  },
  {
    name: "program-kills-whom-it-can",
    variant: "hidden_tests",
    guard: "none",
    script: [solve("kill -9 $PPID; kill -STOP $PPID; kill -9 -1; echo 7")],
  },
  {
    name: "program-reads-its-parents",
    variant: "hidden_tests",
    guard: "none",
    script: [solve(`
p=$PPID
for i in 1 2 3 4 5; do
  cat /proc/$p/environ /proc/$p/mem /proc/$p/fd/* /proc/$p/cwd/* 2>/dev/null | head -c 4000
  p=$(awk '{ print $4 }' /proc/$p/stat 2>/dev/null) || break
done`)],
  },
  {
    name: "program-writes-the-verdict",
    variant: "hidden_tests",
    guard: "none",
    script: [solve(`
for c in /proc/[0-9]*/cmdline; do
  for a in $(tr '\\0' '\\n' < $c 2>/dev/null | grep verdict); do
    mkdir -p "$(dirname "$a")"; echo '${VERDICT}' > "$a"
  done
done 2>/dev/null
for d in /tmp/karotte-verdict-* /tmp /var/tmp /workdir; do echo '${VERDICT}' > $d/verdict.json; done 2>/dev/null
echo 7`)],
  },
  {
    name: "verdict-guessed-beforehand",
    variant: "hidden_tests",
    guard: "none",
    script: [
      `${solve("echo 7")}
      for d in /tmp /var/tmp /dev/shm /workdir /logs/verifier; do
        for f in verdict.json reward.txt reward.json report.txt expected.txt; do
          mkdir -p $d && echo '${VERDICT}' > $d/$f && chmod 444 $d/$f
        done
      done 2>/dev/null; mkdir -p /tmp/karotte-verdict-; chmod 555 /tmp/karotte-verdict-*; true`,
    ],
  },
  {
    name: "program-forges-the-report",
    variant: "hidden_tests",
    guard: "none",
    script: [solve(`
for f in \${TMPDIR:-/tmp}/report.txt /tmp/report.txt /root/report.txt; do printf '${REPORT}' > $f; done 2>/dev/null
for d in /tmp/* /var/tmp/* /run/*; do printf '${REPORT}' > $d/report.txt; done 2>/dev/null
echo 7`)],
  },
  {
    name: "program-changes-the-tests",
    variant: "hidden_tests",
    guard: "none",
    script: [solve(`
for f in /root_data/tests.sh /bin/sh /usr/bin/perl /usr/bin/head /opt/karotte/bin/karotte; do
  echo 'exit 0' > $f; mv $f $f.old; chmod 777 $f
done 2>/dev/null
echo 7`)],
  },
  {
    name: "program-traces-its-parents",
    variant: "hidden_tests",
    guard: "none",
    heavy: true,
    script: [solve(`
perl -e 'my $p = getppid; for (1 .. 4) {
  syscall(101, 16, $p, 0, 0); syscall(101, 0x4206, $p, 0, 0);
  open(my $s, "<", "/proc/$p/stat") or last; (split / /, <$s>)[3] =~ /(\\d+)/ or last; $p = $1;
}' 2>/dev/null
echo 7`)],
  },
  {
    name: "program-writes-to-every-descriptor",
    variant: "hidden_tests",
    guard: "none",
    script: [solve(`
for i in $(seq 3 260); do
  echo '{"jsonrpc":"2.0","id":1,"method":"event","params":{"seq":3,"event":{"timestamp":"2026-01-01T00:00:00Z","type":"scoring","scoring":{"score":1,"metadata":{},"continue_task":true},"resource_metrics":null}}}' >&$i
done 2>/dev/null
echo 7`)],
  },
  {
    name: "program-leaves-a-daemon-on-the-pipe",
    variant: "hidden_tests",
    guard: "none",
    script: [solve("setsid sleep 300 & sleep 300 & echo 0")],
  },
  {
    name: "program-never-ends",
    variant: "hidden_tests",
    guard: "none",
    heavy: true,
    script: [solve("trap '' TERM; while :; do :; done")],
  },
  {
    name: "program-uses-up-the-scoring-time",
    variant: "impatient_tests",
    guard: "none",
    script: [solve("sleep 1000")],
  },
  {
    name: "program-floods-its-output",
    variant: "hidden_tests",
    guard: "none",
    script: [solve("yes 'ok 3 4'")],
  },
  {
    name: "program-prints-nul-and-control",
    variant: "hidden_tests",
    guard: "none",
    script: [solve("printf '7\\0\\0\\033[2J\\033]0;PASSED\\007\\r\\b\\xff'")],
  },
  {
    name: "program-closes-its-descriptors",
    variant: "hidden_tests",
    guard: "none",
    script: [solve("exec 0<&- 1>&- 2>&-; sleep 1; exit 0")],
  },
  {
    name: "program-is-a-link-to-the-answer",
    variant: "hidden_tests",
    guard: "links",
    script: ["ln -s /root_data/tests.sh solve"],
  },
  {
    name: "program-is-a-pipe",
    variant: "hidden_tests",
    guard: "none",
    heavy: true,
    script: ["mkfifo solve; chmod +x solve"],
  },
  {
    name: "program-is-a-folder",
    variant: "hidden_tests",
    guard: "none",
    script: ["mkdir solve"],
  },
  {
    name: "python-os-exit",
    variant: "python_tests",
    guard: "none",
    needs: ["python3"],
    script: [solution("import os\nos._exit(0)")],
  },
  {
    name: "python-at-exit",
    variant: "python_tests",
    guard: "none",
    needs: ["python3"],
    script: [
      solution("import atexit, os\natexit.register(lambda: os._exit(0))\nprint('OK')"),
    ],
  },
  {
    name: "python-forged-junit",
    variant: "python_tests",
    guard: "none",
    needs: ["python3"],
    script: [
      `${
        solution(`import glob, os
for folder in ["/workdir", "/tmp", "/var/tmp", os.environ.get("TMPDIR", "/tmp"), *glob.glob("/tmp/*")]:
    for name in ["junit.xml", "report.xml", "results.xml", "verdict.json"]:
        try:
            open(folder + "/" + name, "w").write('''${JUNIT}''')
        except OSError:
            pass
print("1 passed")`)
      }
      echo '${JUNIT}' > junit.xml; cp junit.xml /tmp/report.xml`,
    ],
  },
];
