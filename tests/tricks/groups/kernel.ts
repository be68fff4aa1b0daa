import { encodeBase64 } from "../base64.ts";
import { systemCallProgram, type Way } from "../../support/system_call_program.ts";
import type { Guard } from "../../../src/protocol/guards.ts";
import type { Trick } from "../trick.ts";

const REACHED = "echo reached > reached.txt";

/** EPERM, EACCES, ENOSYS and EAFNOSUPPORT: the wall holds. Anything else came through it. */
const REFUSALS = "1|13|38|97";

/** A system call by Perl, of x86-64. */
function systemCall(name: string, call: string, guard: Guard | "none" = "filter"): Trick {
  return {
    ...{ name, variant: "walls", guard, shows: /errno/ },
    script: [
      `perl -e 'my @call = (${call}); $! = 0; my $r = syscall(shift @call, @call); my $e = $r == -1 ? $!+0 : 0;
      print "errno $e\\n"; exit($e =~ /^(${REFUSALS})$/ ? 1 : 0)' && ${REACHED}; true`,
    ],
  };
}

/** A system call by a program of its own, which can be made in the way of 32 bits. */
function program(name: string, number: number, args: readonly number[], way: Way): Trick {
  const bytes = encodeBase64(systemCallProgram(number, args, way));
  return {
    ...{ name, variant: "walls", guard: "filter", shows: /errno/ },
    // A kernel that has no such way ends it by a signal.
    script: [`echo ${bytes} | base64 -d > p; chmod +x p; ./p; e=$?; echo "errno $e"
      case $e in ${REFUSALS}|139) ;; *) ${REACHED} ;; esac`],
  };
}

const [ALG, PACKET, VSOCK] = [38, 17, 40];
const [STREAM, SEQPACKET] = [1, 5];
const NEW_USER_NAMESPACE = 0x10000000;
const X32 = 0x40000000;

/** What shell commands open or make: it is reached if they succeed. */
function command(name: string, text: string): Trick {
  return {
    ...{ name, variant: "walls", guard: "none" },
    script: [`(${text}) 2>&1 && ${REACHED}; true`],
  };
}

/** Ways into the kernel, or to what is the machine's or root's. */
export const kernel: readonly Trick[] = [
  systemCall("socket-to-the-hypervisor", `41, ${VSOCK}, ${STREAM}, 0`),
  systemCall("socket-to-kernel-cryptography", `41, ${ALG}, ${SEQPACKET}, 0`),
  systemCall("socket-of-raw-packets", `41, ${PACKET}, 3, 0`, "none"),
  systemCall("pair-of-sockets-of-the-hypervisor", `53, ${VSOCK}, ${STREAM}, 0, "\\0" x 8`),
  program("socket-to-the-hypervisor-by-32-bits", 359, [VSOCK, STREAM], "int 0x80"),
  program("socketcall-by-32-bits", 102, [1], "int 0x80"),
  program("io-uring-by-32-bits", 425, [1], "int 0x80"),
  program("keyring-by-32-bits", 288, [0, -4], "int 0x80"),
  systemCall("socket-by-x32", `41 | ${X32}, ${VSOCK}, ${STREAM}, 0`),
  systemCall("io-uring", '425, 1, "\\0" x 120'),
  systemCall("keyring-of-the-session", "250, 0, -3, 0"),
  systemCall("keyring-of-the-user", "250, 0, -4, 0"),
  systemCall("key-that-is-left", '248, "user\\0", "karotte-trick\\0", "x\\0", 1, -2'),
  systemCall("key-that-is-asked-for", '249, "user\\0", "karotte-trick\\0", 0, 0'),
  systemCall("bpf", '321, 0, "\\0" x 72, 72'),
  systemCall("performance-events", '298, "\\0" x 112, 0, -1, -1, 0'),
  systemCall("userfaultfd", "323, 1"),
  systemCall("file-handle", '304, 0, "\\0" x 32, 0'),
  systemCall("fanotify", "300, 0x200, 0"),
  systemCall("user-namespace", `272, ${NEW_USER_NAMESPACE}`),
  systemCall("user-namespace-of-a-child", `56, ${NEW_USER_NAMESPACE} | 17, 0, 0, 0, 0`),
  systemCall("other-namespaces", "272, 0x20000", "none"),
  systemCall("trace-of-init", "101, 16, 1, 0, 0", "none"),
  systemCall(
    "memory-of-init",
    '310, 1, pack("pQ", "\\0" x 8, 8), 1, pack("QQ", 0x400000, 8), 1, 0',
    "none",
  ),
  systemCall("change-of-root", '161, "/tmp\\0"', "none"),
  systemCall("mount", '165, "none\\0", "/tmp\\0", "tmpfs\\0", 0, 0', "none"),
  systemCall("device-node", '133, "/tmp/dev\\0", 0x21b0, 0x101', "none"),
  systemCall("ids-of-root", "105, 0", "none"),
  systemCall("signal-to-init", "62, 1, 0", "none"),
  command("memory-of-roots-processes", "cat /proc/1/mem | head -c 1 | grep -q ."),
  command("variables-of-roots-processes", "cat /proc/1/environ | grep -q ."),
  command("descriptors-of-roots-processes", "ls -l /proc/1/fd | grep -q -- '->'"),
  command("root-of-init", "ls /proc/1/root/root_data"),
  command("core-pattern", ": >> /proc/sys/kernel/core_pattern"),
  command("magic-requests", ": >> /proc/sysrq-trigger"),
  command("kernel-log", "head -c 1 /dev/kmsg || dmesg | grep -q ."),
  command("memory-of-the-machine", "head -c 1 /dev/mem || head -c 1 /proc/kcore | grep -q ."),
  command("score-of-roots-processes", "echo 1000 > /proc/1/oom_score_adj"),
  command("own-memory-score", "echo -1000 > /proc/self/oom_score_adj"),
  command(
    "control-groups",
    "find /sys/fs/cgroup -maxdepth 3 -name cgroup.procs -writable | grep -q .",
  ),
  command("immutable-files", "touch i && chattr +i i"),
  command("capabilities-of-a-file", "cp /bin/cat c && setcap cap_dac_override+ep c"),
  command(
    "setuid-programs",
    "su -c true </dev/null || umount /proc || newgrp root -c true </dev/null",
  ),
  command("private-folder", "ls /opt/karotte/private || cat /opt/karotte/private/environment/*"),
  command("program-of-root", "echo x >> /opt/karotte/bin/karotte || touch /usr/bin/sh.new"),
  command("sockets-of-the-host", "ls -d /var/run/docker.sock /run/podman/podman.sock /run/user/0"),
  command(
    "port-of-the-host",
    'for a in 127.0.0.1 172.17.0.1; do timeout 2 bash -c "exec 3<>/dev/tcp/$a/$TRICK_PORT" && exit 0; done; false',
  ),
];
