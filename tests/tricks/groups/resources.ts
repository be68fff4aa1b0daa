import { HONEST } from "../secret.ts";
import { type Trick, within } from "../trick.ts";

/** Bombs. Each may cost the student its own answer, and never ends as an error. */
export const resources: readonly Trick[] = [
  {
    name: "huge-output",
    variant: "careless",
    guard: "none",
    score: 1,
    script: ["head -c 100000000 /dev/zero | tr '\\0' x; head -c 20000000 /dev/urandom >&2", HONEST],
  },
  {
    name: "endless-output",
    variant: "careless",
    guard: "none",
    score: 1,
    script: [within(2, "yes"), HONEST],
  },
  {
    name: "shared-memory-full",
    variant: "careful",
    guard: "none",
    score: "any",
    script: [`head -c 70M /dev/zero > /dev/shm/full; ${HONEST}`],
  },
  {
    name: "temporary-folder-full",
    variant: "careful",
    guard: "none",
    score: "any",
    heavy: true,
    script: [within(20, `head -c 1100M /dev/zero > /tmp/full; ${HONEST}`)],
  },
  {
    name: "verdict-without-room",
    variant: "hidden_tests",
    guard: "none",
    score: "any",
    heavy: true,
    script: [
      within(
        20,
        "head -c 1100M /dev/zero > /tmp/full; printf '#!/bin/sh\\necho 0' > solve; chmod +x solve",
      ),
    ],
  },
  {
    name: "many-files",
    variant: "careful",
    guard: "none",
    score: "any",
    heavy: true,
    script: [
      within(
        30,
        `mkdir m /tmp/m; (cd m; seq 20000 | xargs touch); (cd /tmp/m; seq 20000 | xargs touch); ${HONEST}`,
      ),
    ],
  },
  {
    name: "memory-hog",
    variant: "careful",
    guard: "none",
    score: "any",
    heavy: true,
    script: [within(20, `${HONEST}; perl -e 'my @x; push @x, "x" x 50e6 while 1'`)],
  },
  {
    name: "memory-hog-that-survives",
    variant: "careful",
    guard: "none",
    score: "any",
    heavy: true,
    script: [
      within(
        20,
        `${HONEST}; setsid perl -e 'fork; fork; my @x; for (1 .. 60) { push @x, "x" x 20e6; select undef, undef, undef, 0.05 } sleep 60' </dev/null >/dev/null 2>&1 & sleep 1`,
      ),
    ],
  },
  {
    name: "open-files-hog",
    variant: "careful",
    guard: "none",
    score: "any",
    script: [
      `${HONEST}; setsid perl -e 'my @f; while (open(my $f, "<", "/dev/null")) { push @f, $f } sleep 60' </dev/null >/dev/null 2>&1 & sleep 1`,
    ],
  },
  {
    name: "processes-that-end-at-once",
    variant: "careful",
    guard: "none",
    score: "any",
    script: [within(20, `${HONEST}; for i in $(seq 300); do (sleep 0.01 &); done`)],
  },
  {
    name: "wide-folder",
    variant: "careless",
    guard: "none",
    score: 1,
    script: [`${HONEST}; mkdir w; cd w; seq 3000 | xargs -I{} -n 1 echo {} | xargs touch`],
  },
];
