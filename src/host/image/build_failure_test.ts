import { assertEquals } from "@std/assert";
import { buildFailure } from "./build_failure.ts";
import { NO_BASH, NO_GLIBC } from "./containerfile.ts";

function failure(own: boolean, ...lastLines: readonly string[]) {
  const { code, message, hint } = buildFailure({
    directory: "/env",
    step: "2/9: RUN false",
    lastLines,
    logPath: "/cache/env.log",
    own,
  });
  return { code, message, hint };
}

Deno.test("a failed step is told with its last lines and the log's path", () => {
  assertEquals(failure(false, "before", "\x1b[31mred"), {
    code: "run",
    message: 'Cannot build the image of "/env": step 2/9: RUN false failed\n' +
      "  | before\n  | ␣[31mred",
    hint: "The whole log: /cache/env.log",
  });
});

Deno.test("what Karotte misses in a base image is told as such", () => {
  const message = (line: string, own = true) => failure(own, line).message.split(": ")[1];
  assertEquals(message(NO_BASH), "the image has no /bin/bash");
  assertEquals(message(NO_GLIBC), "the image has no glibc");
  const lines = [
    'runc create failed: exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown',
    "Error: crun: executable file `/bin/sh` not found in $PATH: No such file or directory",
  ];
  for (const line of lines) assertEquals(message(line), "the image has no /bin/sh");
  assertEquals(
    failure(true, "deno: /lib64/libc.so.6: version `GLIBC_2.27' not found").message.split(": ")[1],
    "the image's glibc is too old",
  );
  assertEquals(message(NO_BASH, false), "step 2/9");
});
