import { assertEquals } from "@std/assert";
import { weakeningArguments } from "./weakening.ts";

Deno.test("weakeningArguments() names each option that weakens, with its value", () => {
  assertEquals(
    weakeningArguments([
      ...["--cap-add", "SYS_ADMIN", "--privileged", "--device", "/dev/x", "-v/a:/b", "-v", "/c:/d"],
      ...["--security-opt=seccomp=unconfined", "--net=host", "--env", "--privileged=no", "-u0"],
    ]),
    [
      "--cap-add SYS_ADMIN",
      "--privileged",
      "-v/a:/b",
      "-v /c:/d",
      "--security-opt=seccomp=unconfined",
      "--net=host",
      // As the value of --env it is harmless; saying too much is the better mistake.
      "--privileged=no",
      "-u0",
    ],
  );
});

Deno.test("weakeningArguments() leaves limits, devices and labels alone", () => {
  const harmless = [
    "--device",
    "/dev/x",
    "--gpus",
    "all",
    "--memory=1g",
    "--label",
    "a=b",
    "--cap-drop=ALL",
  ];
  assertEquals(weakeningArguments(harmless), []);
  assertEquals(weakeningArguments(["--cap-add"]), ["--cap-add"]);
});
