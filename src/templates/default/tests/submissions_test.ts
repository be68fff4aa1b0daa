import { type RunContext, StudentFileError, StudentMisbehaviorError } from "@karotte/cli/sdk";
import assert from "node:assert/strict";
import { collectSubmission, copyOf } from "../src/environment/submissions.ts";

Deno.test("copies lie where only root can reach them", () => {
  assert.equal(copyOf("/workdir/totals.csv"), "/intermediate_data/submissions/workdir/totals.csv");
});

Deno.test("a path that leaves the folder of the copies is refused", () => {
  assert.throws(() => copyOf("/workdir/../../etc/passwd"), TypeError);
  assert.throws(() => copyOf("totals.csv"), TypeError);
});

Deno.test("the student is stopped first, and what is no readable file counts as cheating", async () => {
  const calls: string[] = [];
  const student = {
    killAll: () => Promise.resolve(calls.push("killAll")),
    readFile(path: string) {
      calls.push("readFile");
      return Promise.reject(new StudentFileError("not_a_regular_file", `${path} is a FIFO`));
    },
  };
  // Cast: a submission that can't be read is not written and not saved either.
  const context = { student } as unknown as RunContext;
  await assert.rejects(() => collectSubmission(context, ["/workdir/x"]), StudentMisbehaviorError);
  assert.deepEqual(calls, ["killAll", "readFile"]);
});
