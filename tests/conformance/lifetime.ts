import { assert, assertEquals, assertRejects } from "@std/assert";
import { finish, processesWith, waitFor } from "./lab.ts";
import type { Behaviour } from "./behaviour.ts";

/** Something that can be found among the host's processes. */
function mark(): string {
  return `9${Math.floor(Math.random() * 1e12)}`;
}

/** Daemons that ignore what they can, then the word `ready`. */
function daemons(seconds: string): string {
  return `exec >&4
    student bash -c 'trap "" TERM HUP INT; setsid setsid sleep ${seconds} & sleep ${seconds} &'
    setsid sleep ${seconds} & sleep ${seconds} &
    while [ "$(cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -o 'sleep ${seconds}' | wc -l)" -lt 4 ]
    do sleep 0.05; done
    echo ready; wait`;
}

export const lifetime: Behaviour[] = [
  {
    name: "kill() ends every process, daemons too",
    differs: ["product", "launcher"],
    async test(lab) {
      const seconds = mark();
      await using sandbox = await lab.launch(daemons(seconds));
      const log = new Response(sandbox.stderr).text();
      await waitFor(sandbox.stdout, "ready");
      assert(processesWith(seconds).length > 0);
      await sandbox.kill();
      assertEquals(processesWith(seconds), []);
      assertEquals((await sandbox.status).code, 137);
      await sandbox.kill();
      await Promise.all([log, sandbox.stdout.cancel()]);
    },
  },
  {
    name: "the program's end ends all other processes",
    differs: ["product", "launcher"],
    async test(lab) {
      const seconds = mark();
      const { out, code } = await lab.run(daemons(seconds).replace("wait", "exit 5"));
      assertEquals([out, code], ["ready\n", 5]);
      assertEquals(processesWith(seconds), []);
    },
  },
  {
    name: "disposing a running sandbox ends it, and a second time does nothing",
    async test(lab) {
      const seconds = mark();
      const sandbox = await lab.launch(daemons(seconds));
      const log = new Response(sandbox.stderr).text();
      await waitFor(sandbox.stdout, "ready");
      await sandbox[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
      assertEquals(processesWith(seconds), []);
      await Promise.all([log, sandbox.stdout.cancel()]);
    },
  },
  {
    name: "the program reads the end of its input when the host closes it",
    differs: ["remote", "product"],
    async test(lab) {
      const { out } = await lab.run("cat <&3 > /dev/null; echo closed >&4");
      assertEquals(out, "closed\n");
    },
  },
  {
    name: "two at once see nothing of each other",
    async test(lab) {
      const script = "echo $1 > /workdir/mine; read -r line <&3; cat /workdir/* 2>/dev/null >&4";
      const program = (word: string) => ({
        files: [],
        argv: ["/bin/sh", "-c", script, "sh", word],
      });
      await using one = await lab.launch("", { program: program("one") });
      await using two = await lab.launch("", { program: program("two") });
      const outcomes = await Promise.all([finish(one, "go\n"), finish(two, "go\n")]);
      assertEquals(outcomes.map(({ out }) => out), ["one\n", "two\n"]);
    },
  },
  {
    name: "a program that is not there ends with 127",
    differs: ["product"],
    async test(lab) {
      const { code } = await lab.run("", { program: { files: [], argv: ["/no/such program"] } });
      assertEquals(code, 127);
    },
  },
  {
    name: "a program file that is not on the host is refused by name",
    async test(lab) {
      const source = `${lab.scratch}/no such é`;
      const program = { files: [{ name: "x", source }], argv: ["/bin/true"] };
      await assertRejects(() => lab.launch("", { program }), Error, source);
    },
  },
  {
    name: "folders that the student made too deep for any path are removed",
    differs: ["launcher"],
    async test(lab) {
      const name = "é".repeat(100);
      const { out } = await lab.run(`cd /workdir; student sh -c '
        for i in $(seq 60); do mkdir ${name}; cd -P ${name} || exit 1; done; chmod 0 .'; echo $? >&4`);
      assertEquals(out, "0\n");
    },
  },
];
