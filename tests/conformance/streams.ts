import { assert, assertEquals } from "@std/assert";
import type { Behaviour } from "./behaviour.ts";

const BIG = 50_000_000;

export const streams: Behaviour[] = [
  {
    name: "stdin and stdout are the channel on 3 and 4, stderr is plain log",
    differs: ["remote", "product", "launcher"],
    async test(lab) {
      const { out, err, code } = await lab.run(
        "read -r line <&3; echo plain; echo log >&2; echo got $line >&4; cat; exit 3",
        { input: "hello\n" },
      );
      assertEquals([out, err, code], ["got hello\n", "plain\nlog\n", 3]);
    },
  },
  {
    name: "50 MB go in and come out again",
    differs: ["remote", "product"],
    async test(lab) {
      await using sandbox = await lab.launch("cat <&3 >&4");
      const chunk = new Uint8Array(100_000).map((_, index) => index % 251);
      const writer = sandbox.stdin.getWriter();
      const writing = (async () => {
        for (let sent = 0; sent < BIG; sent += chunk.length) await writer.write(chunk.slice());
        await writer.close();
      })();
      let received = 0;
      let wrong = 0;
      for await (const part of sandbox.stdout) {
        for (const byte of part) if (byte !== (received++ % chunk.length) % 251) wrong++;
      }
      await writing;
      await sandbox.stderr.cancel();
      assertEquals([received, wrong, (await sandbox.status).code], [BIG, 0, 0]);
    },
  },
  {
    name: "the exit code is the program's, 128 + n after signal n",
    differs: ["product", "launcher"],
    async test(lab) {
      assertEquals((await lab.run("exit 0")).code, 0);
      assertEquals((await lab.run("exit 41")).code, 41);
      assertEquals((await lab.run("kill -9 $$")).code, 137);
    },
  },
  {
    name: "a program that writes at once loses nothing to the start",
    differs: ["product"],
    async test(lab) {
      const runs = Array.from({ length: 8 }, () => lab.run("echo first >&4"));
      for (const { out } of await Promise.all(runs)) assertEquals(out, "first\n");
    },
  },
  {
    name: "the program sees the descriptors 0 to 4, and 0 to 2 are not the channel",
    differs: ["product", "launcher"],
    async test(lab) {
      const { out } = await lab.run(`
        for fd in $(seq 0 255); do [ -e /proc/$$/fd/$fd ] && list="$list $fd"; done
        targets=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2 /proc/$$/fd/4)
        echo "$targets" >&4; echo $list >&4`);
      const [input, output, log, channel, list] = out.trimEnd().split("\n");
      // bash, where it is sh, keeps 255 for itself.
      assertEquals(list?.replace(" 255", ""), "0 1 2 3 4");
      assertEquals([input, output], ["/dev/null", log]);
      assert(channel !== log);
    },
  },
  {
    name: "the environment is exactly the listed few",
    differs: ["product", "launcher"],
    async test(lab, subject) {
      const { out } = await lab.run("tr '\\0' '\\n' < /proc/$$/environ >&4");
      const names = out.trimEnd().split("\n").map((line) => line.split("=")[0]);
      assertEquals(names.sort(), [...subject.environment].sort());
      assert(out.includes("KAROTTE_CONTAINERIZED=1\n"), out);
      assert(out.includes("KAROTTE_WORKDIR=/workdir\n"), out);
      assert(out.includes("KAROTTE_DEMOTE_ID=1000\n"), out);
    },
  },
];
