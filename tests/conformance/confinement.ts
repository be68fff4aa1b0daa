import { assert, assertEquals, assertMatch } from "@std/assert";
import { CAPABILITIES } from "../../src/runtimes/confinement.ts";
import type { Behaviour } from "./behaviour.ts";

/** The bits of `CAPABILITIES`. */
const CAPABILITY_BITS = "00000000000001eb";

/** What the harness does with each, as a shell command. */
const NEEDED: Readonly<Record<(typeof CAPABILITIES)[number], string>> = {
  chown: ": > /run/data && chown 1000:1000 /run/data",
  dac_override: "cat /run/of_student",
  fowner: "chmod 600 /run/of_student",
  setuid: "setpriv --reuid 1000 true",
  setgid: "setpriv --regid 1000 --clear-groups true",
  kill: "kill -0 $pid",
  setpcap: "setpriv --bounding-set=-all grep -q 'CapBnd:.0*$' /proc/self/status",
};

export const HIDDEN_FOLDER = "a hidden folder below a mount is empty there";
export const NO_USER_NAMESPACE = "the student makes no user namespace, nor does root";
export const SYSTEM_IS_READ_ONLY = "root can't change the system, nor the program";
export const ONLY_LISTED_FOLDERS = "the sandbox has no folder but the listed ones";

export const confinement: Behaviour[] = [
  {
    name: "the program is root with the listed capabilities, no groups and no new privileges",
    differs: ["remote", "product", "launcher"],
    async test(lab) {
      const { out } = await lab.run(
        "id -u; id -g; grep -E '^(Groups|Cap|NoNewPrivs)' /proc/self/status >&4; hostname >&2",
      );
      const fields = Object.fromEntries(
        out.trimEnd().split("\n").map((line) => line.split(":").map((part) => part.trim())),
      );
      assertEquals(fields["NoNewPrivs"], "1");
      assert(["", "0"].includes(fields["Groups"] ?? "missing"), fields["Groups"]);
      for (const set of ["CapPrm", "CapEff", "CapBnd"]) assertEquals(fields[set], CAPABILITY_BITS);
      assertEquals([Number(fields["CapInh"]), Number(fields["CapAmb"])], [0, 0]);
    },
  },
  {
    name: "each listed capability does what it is for, and nothing else does",
    differs: ["launcher"],
    async test(lab) {
      const attempts = Object.entries(NEEDED).map(([name, command]) => `${name}) ${command};;`);
      const { out } = await lab.run(`exec >&4 2>/dev/null
        echo x > /run/of_student; chown 1000:1000 /run/of_student; chmod 600 /run/of_student
        mkfifo /run/pid
        student sh -c 'echo $$; exec sleep 600' > /run/pid &
        read -r pid < /run/pid; export pid
        cat > /run/attempt <<'END'
        case $1 in ${attempts.join(" ")} esac
END
        for name in ${CAPABILITIES.join(" ")}; do
          sh /run/attempt $name > /run/out && echo $name suffices
          setpriv --bounding-set=-$name -- sh /run/attempt $name > /run/out || echo $name is needed
        done`);
      const expected = CAPABILITIES.flatMap((name) => [`${name} suffices`, `${name} is needed`]);
      assertEquals(out.trimEnd().split("\n"), expected);
    },
  },
  {
    name: "the student has no capabilities, and enters no folder of root",
    differs: ["launcher"],
    async test(lab) {
      await Deno.mkdir(`${lab.environment}/root_data`);
      await Deno.writeTextFile(`${lab.environment}/root_data/answer`, "42");
      const { out } = await lab.run(`exec >&4
        student sh -c 'id -un; id -G; pwd; grep CapEff /proc/self/status'
        student ls /opt/karotte/bin
        for path in /opt/karotte/private /root_data /intermediate_data /var/lib/karotte /root; do
          student sh -c "ls $path 2>/dev/null" && echo entered $path
        done
        student cat /root_data/answer 2>/dev/null || echo refused
        cat /root_data/answer`);
      assertEquals(
        out,
        "student\n1000\n/\nCapEff:\t0000000000000000\ntool\nrefused\n42",
      );
    },
  },
  {
    name: "the student signals no process of root and reads none's environment or descriptors",
    async test(lab) {
      const { out } = await lab.run(`exec >&4
        for pid in 1 $$; do
          student sh -c "kill -9 $pid" 2>/dev/null && echo killed $pid
          student cat /proc/$pid/environ 2>/dev/null && echo read $pid
          student ls /proc/$pid/fd /proc/$pid/root/ 2>/dev/null && echo listed $pid
        done
        echo alive`);
      assertEquals(out, "alive\n");
    },
  },
  {
    name: NO_USER_NAMESPACE,
    differs: ["remote", "product", "launcher"],
    async test(lab) {
      const { out } = await lab.run(`exec >&4
        student unshare --user true 2>/dev/null && echo student made one
        unshare --user true 2>/dev/null && echo root made one
        echo done`);
      assertEquals(out, "done\n");
    },
  },
  {
    name: "root can't open the kernel's settings for writing, nor mount",
    differs: ["product", "launcher"],
    async test(lab) {
      const { out } = await lab.run(`exec >&4
        for file in /proc/sys/kernel/core_pattern /proc/sys/vm/drop_caches /proc/sysrq-trigger; do
          (: >> $file) 2>/dev/null && echo opened $file
        done
        mount -t tmpfs none /tmp 2>/dev/null && echo mounted
        echo done`);
      assertEquals(out, "done\n");
    },
  },
  {
    name: SYSTEM_IS_READ_ONLY,
    async test(lab) {
      const { out } = await lab.run(`exec >&4
        for file in /usr/x /etc/x /opt/karotte/bin/x /x; do
          (: > $file) 2>/dev/null && echo made $file
        done
        (: >> /opt/karotte/bin/tool) 2>/dev/null && echo opened tool
        echo done`);
      assertEquals(out, "done\n");
    },
  },
  {
    name: "there is no network but loopback, and the host's loopback is not it",
    differs: ["product", "launcher"],
    async test(lab) {
      using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const { out } = await lab.run(`exec >&4
        tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
        bash -c ': < /dev/tcp/127.0.0.1/${listener.addr.port}' 2>/dev/null && echo connected
        echo done`);
      assertEquals(out, "lo\ndone\n");
    },
  },
  {
    name: "nothing of the host shows, and the sandbox's own places are there",
    differs: ["remote", "product", "launcher"],
    async test(lab) {
      const { out } = await lab.run(`exec >&4
        test -e '${lab.environment}' && echo environment
        getent passwd student
        stat -c '%a %n' /tmp /workdir /workdir/data /dev/shm
        hostname; /opt/karotte/bin/tool`);
      const [student = "", ...rest] = out.trimEnd().split("\n");
      assertMatch(student, /^student:[*x]:1000:1000::\/workdir:\/bin\/bash$/);
      assertEquals(rest, [
        ...["1777 /tmp", "1777 /workdir", "755 /workdir/data", "1777 /dev/shm"],
        ...["sandbox", "tool runs"],
      ]);
    },
  },
  {
    name: ONLY_LISTED_FOLDERS,
    async test(lab) {
      const { out } = await lab.run(`exec >&4
        ls -A / | tr '\\n' ' '; echo
        test -e /etc/shadow && echo shadow
        ls -A /root`);
      const [top = "", ...rest] = out.trimEnd().split("\n");
      const own = ["dev", "etc", "intermediate_data", "opt", "proc", "root", "root_data", "run"];
      const also = [
        "bin",
        "lib",
        "lib32",
        "lib64",
        "libx32",
        "sbin",
        "tmp",
        "usr",
        "var",
        "workdir",
      ];
      const strange = top.trim().split(" ").filter((name) => ![...own, ...also].includes(name));
      assertEquals([strange, rest], [[], []]);
    },
  },
  {
    name: HIDDEN_FOLDER,
    differs: ["remote", "product"],
    async test(lab) {
      await Deno.mkdir(`${lab.scratch}/shared é/secret #1/deep`, { recursive: true });
      await Deno.writeTextFile(`${lab.scratch}/shared é/open`, "open");
      await Deno.writeTextFile(`${lab.scratch}/shared é/secret #1/deep/answer`, "42");
      const { out, code } = await lab.run(
        "exec >&4; cd /mnt/data; ls; ls -A 'secret #1'; (: > open) 2>/dev/null || echo read-only",
        {
          hidden: [lab.environment, `${lab.scratch}/shared é/secret #1`],
          mounts: [{ source: `${lab.scratch}/shared é`, target: "/mnt/data", readOnly: true }],
        },
      );
      assertEquals([out, code], ["open\nsecret #1\nread-only\n", 0]);
    },
  },
  {
    name: "3,000 background jobs leave no zombie",
    differs: ["product"],
    async test(lab) {
      const jobs = "i=0; while [ $i -lt 3000 ]; do (true &); i=$((i+1)); done";
      const { out } = await lab.run(`exec >&4
        student sh -c '${jobs}'
        for attempt in 1 2 3 4 5 6 7 8 9 10; do
          zombies=$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c ') Z ')
          [ "$zombies" = 0 ] && break
          sleep 0.2
        done
        echo zombies: $zombies`);
      assertEquals(out, "zombies: 0\n");
    },
  },
];
