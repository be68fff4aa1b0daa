import { HONEST } from "../secret.ts";
import { call, type Trick } from "../trick.ts";

const EXPECTED = "/root_data/expected.txt";

/** Answers, and neighbours of the answer, that are no plain files. */
export const files: readonly Trick[] = [
  { name: "pipe-as-answer", variant: "careless", guard: "links", script: ["mkfifo answer.txt"] },
  { name: "submitted-pipe", variant: "careful", guard: "none", script: ["mkfifo answer.txt"] },
  {
    name: "pipe-in-a-submitted-folder",
    variant: "careful",
    guard: "none",
    script: ["mkdir out; mkfifo out/p; cp /dev/null out/a"],
  },
  {
    name: "socket-as-answer",
    variant: "careless",
    guard: "none",
    script: [
      `perl -e 'socket(S, 1, 1, 0); bind(S, pack("S a*", 1, "/workdir/answer.txt"))'; ls -l`,
    ],
    shows: /srw/,
  },
  {
    name: "submitted-socket",
    variant: "careful",
    guard: "none",
    script: [
      `perl -e 'socket(S, 1, 1, 0); bind(S, pack("S a*", 1, "/workdir/answer.txt"))'; ls -l`,
    ],
    shows: /srw/,
  },
  {
    name: "device-as-answer",
    variant: "careless",
    guard: "none",
    script: ["mknod answer.txt c 1 5; mknod /dev/shm/z c 1 5; true"],
  },
  {
    name: "endless-device-as-answer",
    variant: "careless",
    guard: "links",
    heavy: true,
    script: ["ln -s /dev/zero answer.txt"],
  },
  {
    name: "submitted-link-to-a-device",
    variant: "careful",
    guard: "none",
    script: ["ln -s /dev/zero answer.txt"],
  },
  {
    name: "channel-as-answer",
    variant: "careless",
    guard: "links",
    script: ["ln -s /proc/self/fd/3 answer.txt"],
  },
  {
    name: "standard-input-as-answer",
    variant: "careless",
    guard: "none",
    script: ["ln -s /dev/stdin answer.txt"],
  },
  {
    name: "folder-as-answer",
    variant: "careless",
    guard: "none",
    script: ["mkdir answer.txt; touch answer.txt/answer.txt"],
  },
  {
    name: "sparse-file-as-answer",
    variant: "careless",
    guard: "none",
    heavy: true,
    script: ["truncate -s 100G answer.txt"],
  },
  {
    name: "sparse-file-that-fills-the-memory",
    variant: "careless",
    guard: "none",
    heavy: true,
    script: ["truncate -s 1900M answer.txt"],
  },
  {
    name: "submitted-sparse-file",
    variant: "careful",
    guard: "none",
    script: ["truncate -s 100G answer.txt"],
  },
  {
    name: "submitted-many-files",
    variant: "careful",
    guard: "none",
    script: ["mkdir out; cd out; seq 12000 | xargs touch"],
  },
  {
    name: "submitted-deep-folders",
    variant: "careful",
    guard: "none",
    script: ["mkdir out; cd out; for i in $(seq 100); do mkdir d; cd d; done; touch x"],
  },
  {
    name: "folders-deeper-than-a-path",
    variant: "careless",
    guard: "none",
    score: 1,
    script: [
      `${HONEST}; perl -e 'for (1 .. 3000) { mkdir "d" x 20; chdir "d" x 20 or last }'`,
    ],
  },
  {
    name: "odd-names-in-a-submission",
    variant: "careful",
    guard: "none",
    score: 1,
    script: [
      `mkdir out; cd out; touch -- $'new\\nline' $'bad\\xff' -rf '..  ' $'\\033[2J' '"' '$(id)'; ${HONEST}`,
    ],
  },
  {
    name: "nul-and-control-in-the-answer",
    variant: "careful",
    guard: "none",
    script: ["printf '\\0\\033[2J\\033]0;score 1\\007\\xff\\xfe' > answer.txt"],
  },
  {
    name: "answer-that-nobody-may-read",
    variant: "careful",
    guard: "none",
    script: ["umask 777; echo x > answer.txt"],
  },
  {
    name: "closed-working-folder",
    variant: "careful",
    guard: "none",
    score: "any",
    script: [`${HONEST}; chmod 000 . data; true`],
  },
  {
    name: "closed-working-folder-of-the-careless",
    variant: "careless",
    guard: "none",
    score: "any",
    script: [`${HONEST}; chmod 000 . data; true`],
  },
  {
    name: "everything-removed",
    variant: "careful",
    guard: "none",
    score: "any",
    script: ["rm -rf /workdir /tmp/* /var/tmp/* /dev/shm/*; mkdir -p /workdir; true"],
  },
  {
    name: "attributes-and-rights-of-the-answer",
    variant: "careful",
    guard: "none",
    score: 1,
    script: [
      `${HONEST}; setfattr -n user.x -v y answer.txt; setfacl -m u:0:--- answer.txt; chmod 4755 answer.txt; true`,
    ],
  },
  {
    name: "lock-on-the-answer",
    variant: "server",
    guard: "none",
    score: 1,
    script: [
      `${HONEST}; setsid flock -x answer.txt sleep 30 </dev/null >/dev/null 2>&1 & sleep 0.2`,
    ],
  },
  {
    name: "lease-on-a-submission",
    variant: "server",
    guard: "none",
    score: "any",
    script: [`${HONEST}; setsid perl -e '
      open(my $f, "+<", "/workdir/answer.txt"); $SIG{IO} = "IGNORE";
      fcntl($f, 1024, 1); sleep 60' </dev/null >/dev/null 2>&1 & sleep 0.3`],
  },
  {
    name: "view-through-a-link",
    variant: "careless",
    guard: "none",
    script: [
      `ln -s ${EXPECTED} x`,
      call("view_lines_in_file", { file_path: "/workdir/x", from_line: 1, to_line: 5 }),
      call("view_lines_in_file", { file_path: EXPECTED, from_line: 1, to_line: 5 }),
      call("view_image_file", { file_path: "/workdir/x" }),
      "rm x",
    ],
    shows: /denied/i,
  },
  {
    name: "replacement-through-a-link",
    variant: "careful",
    guard: "none",
    script: [
      `echo known > answer.txt; ln -s ${EXPECTED} x`,
      call("replace_in_file", { file_path: "/workdir/x", old: "carrot", new: "known" }),
    ],
    shows: /denied/i,
  },
  {
    name: "view-of-a-pipe",
    variant: "careless",
    guard: "none",
    script: [
      "mkfifo x",
      call("view_lines_in_file", { file_path: "/workdir/x", from_line: 1, to_line: 5 }),
      call("view_image_file", { file_path: "/workdir/x" }),
      call("replace_in_file", { file_path: "/workdir/x", old: "a", new: "b" }),
    ],
    shows: /regular/,
  },
  {
    name: "view-of-roots-memory",
    variant: "careless",
    guard: "none",
    script: [
      call("view_lines_in_file", { file_path: "/proc/self/mem", from_line: 1, to_line: 5 }),
      call("view_lines_in_file", { file_path: "/proc/self/environ", from_line: 1, to_line: 5 }),
      call("view_lines_in_file", { file_path: "/proc/1/environ", from_line: 1, to_line: 5 }),
    ],
    shows: /denied/i,
  },
];
