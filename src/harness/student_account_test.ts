import { assertEquals, assertThrows } from "@std/assert";
import { type AccountFiles, withStudentAccount } from "./student_account.ts";

const NONE: AccountFiles = {
  passwd: undefined,
  group: undefined,
  shadow: undefined,
  gshadow: undefined,
  subuid: undefined,
  subgid: undefined,
};

Deno.test("who has the student's uid becomes the student, with nothing else of its own", () => {
  const { files, earlierNames } = withStudentAccount({
    passwd: "root:x:0:0:root:/root:/bin/bash\n" +
      "node:x:1000:1000::/home/node:/bin/sh\nalias:x:1000:27::/:/bin/sh\n" +
      "alice:x:1001:1001::/home/alice:/bin/sh\n",
    group: "root:x:0:\nsudo:x:27:alice,node\nnode:x:1000:alice\ndocker:x:998:node,alias\n",
    shadow: "root:*:19000:0:99999:7:::\nnode:$6$hash:19000:0:99999:7:::\nalice:!:1::::::\n",
    gshadow: "sudo:*:node:alice,node\nnode:!::\n",
    subuid: "node:100000:65536\nalice:165536:65536\n1000:300000:65536\n",
    subgid: "node:100000:65536\n",
  });
  assertEquals(earlierNames, ["node", "alias"]);
  assertEquals(files, {
    passwd: "root:x:0:0:root:/root:/bin/bash\nalice:x:1001:1001::/home/alice:/bin/sh\n" +
      "student:x:1000:1000::/workdir:/bin/bash\n",
    group: "root:x:0:\nsudo:x:27:alice\ndocker:x:998:\nstudent:x:1000:\n",
    shadow: "root:*:19000:0:99999:7:::\nalice:!:1::::::\nstudent:*::0:99999:7:::\n",
    gshadow: "sudo:*::alice\nstudent:*::\n",
    subuid: "alice:165536:65536\n",
    subgid: "",
  });
});

Deno.test("an image without account files gets the two that name the student", () => {
  const { files } = withStudentAccount(NONE);
  assertEquals(files, {
    ...NONE,
    passwd: "student:*:1000:1000::/workdir:/bin/bash\n",
    group: "student:*:1000:\n",
  });
});

Deno.test("a second preparation changes nothing", () => {
  const once = withStudentAccount({ ...NONE, passwd: "root:x:0:0::/root:/bin/sh\n", shadow: "" });
  assertEquals(withStudentAccount(once.files), { files: once.files, earlierNames: [] });
});

Deno.test("the student's name with another id is refused", () => {
  assertThrows(
    () => withStudentAccount({ ...NONE, passwd: "student:x:1001:1001::/:/bin/sh\n" }),
    Error,
    'Cannot make the account "student": the image has one with the id 1001',
  );
  assertThrows(
    () => withStudentAccount({ ...NONE, group: "student:x:50:\n" }),
    Error,
    'Cannot make the group "student"',
  );
});
