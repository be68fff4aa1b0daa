import { HONEST } from "../secret.ts";
import type { Trick } from "../trick.ts";

const EXPECTED = "/root_data/expected.txt";

/** Answers that are links to what only root can read. */
export const links: readonly Trick[] = [
  {
    name: "link-to-the-answer",
    variant: "careless",
    guard: "links",
    script: [`ln -s ${EXPECTED} answer.txt`],
  },
  {
    name: "relative-link",
    variant: "careless",
    guard: "links",
    script: ["ln -s ../root_data/expected.txt answer.txt"],
  },
  {
    name: "link-through-linked-folders",
    variant: "careless",
    guard: "links",
    script: [
      "mkdir a && ln -s / a/root && ln -s a/root/root_data b && ln -s b/expected.txt answer.txt",
    ],
  },
  {
    name: "link-chain",
    variant: "careless",
    guard: "links",
    script: [
      `ln -s ${EXPECTED} l0; for i in $(seq 30); do ln -s l$((i - 1)) l$i; done; ln -s l30 answer.txt`,
    ],
  },
  {
    name: "link-by-way-of-tmp",
    variant: "careless",
    guard: "links",
    script: [`ln -s ${EXPECTED} /tmp/x; ln -s /tmp/x answer.txt`],
  },
  {
    name: "link-by-way-of-shared-memory",
    variant: "careless",
    guard: "links",
    script: [`ln -s ${EXPECTED} /dev/shm/x; ln -s /dev/shm/x answer.txt`],
  },
  {
    name: "link-to-root-of-init",
    variant: "careless",
    guard: "links",
    script: ["ln -s /proc/1/root/root_data/expected.txt answer.txt"],
  },
  {
    name: "link-to-root-of-whoever-looks",
    variant: "careless",
    guard: "links",
    script: ["ln -s /proc/self/root/root_data/expected.txt answer.txt"],
  },
  {
    name: "link-to-working-folder-of-whoever-looks",
    variant: "careless",
    guard: "links",
    script: ["ln -s /proc/thread-self/cwd/../root_data/expected.txt answer.txt"],
  },
  {
    name: "link-of-an-odd-name",
    variant: "careless",
    guard: "links",
    script: [
      `n=$'odd\\n\\xff\\033[2J'; ln -s ${EXPECTED} "$n" && ln -s "$n" answer.txt`,
    ],
  },
  {
    name: "link-deep-below",
    variant: "careless",
    guard: "links",
    script: [
      `p=d; for i in $(seq 200); do p=$p/d; done; mkdir -p $p
      ln -s ${EXPECTED} $p/x && ln -s $p/x answer.txt`,
    ],
  },
  {
    name: "link-in-a-closed-folder",
    variant: "careless",
    guard: "links",
    script: [`mkdir c; ln -s ${EXPECTED} c/x; ln -s c/x answer.txt; chmod 000 c`],
  },
  {
    name: "link-behind-a-haystack",
    variant: "careless",
    guard: "links",
    heavy: true,
    script: [
      `mkdir a; perl -e 'for (0 .. 60000) { symlink "q", "a/$_" }'; ln -s ${EXPECTED} answer.txt`,
    ],
  },
  {
    name: "link-among-long-ways",
    variant: "careless",
    guard: "links",
    deviation: "the walk for links ends after 2 s with a warning, and some hundred links with " +
      "long ways use them up: what comes after them is not looked at",
    heavy: true,
    script: [
      `ln -s ${EXPECTED} answer.txt; mkdir d
      perl -e 'my $way = "d/../" x 800; for (0 .. 12000) { symlink $way . "q", "h$_" }'`,
    ],
  },
  {
    name: "link-to-a-folder-of-root",
    variant: "careful",
    guard: "submission",
    script: ["ln -s /root_data out"],
  },
  {
    name: "submitted-link",
    variant: "careful",
    guard: "submission",
    script: [`ln -s ${EXPECTED} answer.txt`],
  },
  {
    name: "link-in-a-submitted-folder",
    variant: "careful",
    guard: "submission",
    script: [`mkdir -p out/deep; ln -s ${EXPECTED} out/deep/a.txt`],
  },
  {
    name: "submitted-link-through-proc",
    variant: "careful",
    guard: "submission",
    script: [`ln -s /proc/self/root${EXPECTED} answer.txt`],
  },
  {
    name: "submission-swapped-for-a-link",
    variant: "server",
    guard: "submission",
    script: [`
      setsid perl -e 'my $n = 0; while ($n++ < 400000) {
        unlink "a"; symlink "${EXPECTED}", "a"; rename "a", "answer.txt";
      }' >/dev/null 2>&1 </dev/null & sleep 0.3`],
  },
  {
    name: "hard-link",
    variant: "careless",
    guard: "none",
    script: [`ln ${EXPECTED} answer.txt; ln -L /proc/1/root${EXPECTED} answer.txt; true`],
  },
  {
    name: "hard-link-in-tmp",
    variant: "careless",
    guard: "none",
    script: [`ln ${EXPECTED} /tmp/x 2>&1; cp /tmp/x answer.txt`],
    shows: /denied|not permitted|cross-device/i,
  },
  {
    name: "data-folder-renamed",
    variant: "hook",
    guard: "none",
    script: ["mv data old; ln -s /root_data data; echo known > answer.txt"],
  },
  {
    name: "data-folder-removed",
    variant: "hook",
    guard: "none",
    script: ["rm -rf data; ln -s /root_data data; echo known > answer.txt"],
  },
  {
    name: "link-where-a-hook-writes",
    variant: "hook",
    guard: "links",
    script: [`ln -s ${EXPECTED} data/expected.txt; echo known > answer.txt`],
  },
  {
    name: "harmless-links-stay",
    variant: "careless",
    guard: "none",
    score: 1,
    script: [`ln -s /usr/bin/perl p; ln -s /nowhere n; ln -s loop loop; ${HONEST}`],
  },
];
