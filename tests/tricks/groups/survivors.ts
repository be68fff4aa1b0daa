import { SECRET_PATTERN } from "../secret.ts";
import { DONE, type Trick, within } from "../trick.ts";

/** Perl that waits for the answer among the arguments of other processes, and hands it in. */
const WATCH = `
  for (1 .. 3000) {
    for my $p (glob "/proc/[0-9]*/cmdline") {
      open(my $f, "<", $p) or next; local $/; my $c = <$f> // "";
      next unless $c =~ /(${SECRET_PATTERN})/;
      open(my $a, ">", "/workdir/answer.new"); print $a $1; close $a;
      rename "/workdir/answer.new", "/workdir/answer.txt"; exit;
    }
    select undef, undef, undef, 0.02;
  }`;

const QUIETLY = "</dev/null >/dev/null 2>&1";
/** Writes the watcher to `/tmp/watch`, from where it is started in one way or another. */
const KEEP_WATCHER = `cat > /tmp/watch <<'WATCH'\n${WATCH}\nWATCH\n`;

/** A process of the student's that lives on while it is judged. */
export const survivors: readonly Trick[] = [
  {
    name: "daemon-reads-the-arguments",
    variant: "careless",
    guard: "kill",
    script: [`${KEEP_WATCHER}setsid perl /tmp/watch ${QUIETLY} &`],
  },
  {
    name: "job-of-the-shell-reads-the-arguments",
    variant: "careless",
    guard: "kill",
    script: [`${KEEP_WATCHER}perl /tmp/watch ${QUIETLY} & disown; sleep 0.1`],
  },
  {
    name: "survivor-that-no-signal-ends",
    variant: "careless",
    guard: "kill",
    script: [
      `${KEEP_WATCHER}(trap '' TERM HUP INT QUIT PIPE USR1 ALRM; exec setsid nohup perl /tmp/watch) ${QUIETLY} &`,
    ],
  },
  {
    name: "survivor-of-another-name",
    variant: "careless",
    guard: "kill",
    script: [
      `${KEEP_WATCHER}(exec -a karotte setsid perl -e '$0 = "karotte harness"; do "/tmp/watch"') ${QUIETLY} &`,
    ],
  },
  {
    name: "at-exit-trap-reads-the-arguments",
    variant: "careless",
    guard: "kill",
    script: [`${KEEP_WATCHER}trap 'perl /tmp/watch' EXIT TERM HUP`, "echo armed"],
    shows: /armed/,
  },
  {
    name: "chain-that-forks-and-dies",
    variant: "careless",
    guard: "kill",
    script: [`${KEEP_WATCHER}setsid perl -e '
      for (1 .. 20000) { select undef, undef, undef, 0.002; fork and exit;
        next if $_ % 10; my $o = "";
        for my $p (glob "/proc/[0-9]*/cmdline") {
          open(my $f, "<", $p) or next; local $/; my $c = <$f> // "";
          if ($c =~ /(${SECRET_PATTERN})/) { open(my $a, ">", "/workdir/answer.txt"); print $a $1; exit }
        }
      }' ${QUIETLY} &`],
  },
  {
    name: "ring-that-wakes-itself",
    variant: "careless",
    guard: "kill",
    script: [`${KEEP_WATCHER}setsid perl -e '
      for (1 .. 8) { fork or last }
      setpgrp(0, getppid) if 0;
      if (fork) { for (1 .. 4000) { kill "CONT", -getpgrp; select undef, undef, undef, 0.01 } }
      else { do "/tmp/watch" }' ${QUIETLY} &`],
  },
  {
    name: "survivor-stopped-until-later",
    variant: "careless",
    guard: "kill",
    script: [`${KEEP_WATCHER}setsid perl /tmp/watch ${QUIETLY} & p=$!
      setsid sh -c "kill -STOP $p; sleep 0.5; kill -CONT $p" ${QUIETLY} & sleep 0.2`],
  },
  {
    name: "survivor-of-the-step-before",
    variant: "two_steps",
    guard: "kill",
    script: [`${KEEP_WATCHER}setsid perl /tmp/watch ${QUIETLY} &`, DONE, DONE],
  },
  {
    name: "survivor-lays-a-link-after-the-walk",
    variant: "careless",
    guard: "kill",
    script: [`setsid perl -e '
      for (1 .. 3000) {
        for my $p (glob "/proc/[0-9]*/cmdline") {
          open(my $f, "<", $p) or next; local $/; my $c = <$f> // "";
          if ($c =~ /^\\/bin\\/sh\\0-c\\0sleep 0/) {
            symlink "/root_data/expected.txt", "/workdir/answer.txt"; exit }
        }
        select undef, undef, undef, 0.02;
      }' ${QUIETLY} &`],
  },
  {
    name: "lease-on-the-answer",
    variant: "careless",
    guard: "kill",
    script: [`${KEEP_WATCHER}echo wait > answer.txt; setsid perl -e '
      open(my $f, "+<", "/workdir/answer.txt"); $SIG{IO} = "IGNORE";
      fcntl($f, 1024, 1); do "/tmp/watch"; sleep 30' ${QUIETLY} & sleep 0.2`],
  },
  {
    name: "pipe-served-by-a-survivor",
    variant: "careless",
    guard: "kill",
    script: [`mkfifo answer.txt; setsid perl -e '
      for (1 .. 3000) {
        for my $p (glob "/proc/[0-9]*/cmdline") {
          open(my $f, "<", $p) or next; local $/; my $c = <$f> // "";
          if ($c =~ /(${SECRET_PATTERN})/) {
            open(my $a, ">", "/workdir/answer.txt"); print $a $1; exit }
        }
        select undef, undef, undef, 0.02;
      }' ${QUIETLY} &`],
  },
  {
    name: "swap-timed-by-inotify",
    variant: "careless",
    guard: "kill",
    script: [`echo wait > answer.txt; setsid perl -e '
      my $n = syscall(294, 0); my $path = "/workdir\\0";
      syscall(254, $n, $path, 0x20 | 0x1); open(my $i, "<&=", $n);
      for (1 .. 400) { my $e; sysread($i, $e, 4096);
        for my $p (glob "/proc/[0-9]*/cmdline") {
          open(my $f, "<", $p) or next; local $/; my $c = <$f> // "";
          if ($c =~ /(${SECRET_PATTERN})/) {
            open(my $a, ">", "/workdir/answer.txt"); print $a $1; exit }
        } }' ${QUIETLY} & sleep 0.2`],
  },
  {
    name: "survivors-fill-the-process-limit",
    variant: "careless",
    guard: "kill",
    heavy: true,
    script: [
      within(
        15,
        `setsid perl -e '$SIG{TERM} = "IGNORE"; for (1 .. 5000) { my $p = fork // last;
          if (!$p) { sleep 120; exit } }  sleep 120' ${QUIETLY} & sleep 8`,
      ),
    ],
  },
  {
    name: "fork-bomb",
    variant: "careless",
    guard: "kill",
    heavy: true,
    score: "any",
    script: [within(4, ":(){ :|:& };: 2>/dev/null")],
  },
  {
    name: "copy-swapped-by-a-kept-process",
    variant: "server",
    guard: "none",
    script: [`${KEEP_WATCHER}setsid perl /tmp/watch ${QUIETLY} &`],
  },
];
