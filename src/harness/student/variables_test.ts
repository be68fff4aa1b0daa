import { assertEquals } from "@std/assert";
import { studentVariables } from "./variables.ts";

Deno.test("the student gets the image's variables and the run's, and none that is withheld", () => {
  const image = {
    PATH: "/workdir/bin:bin:/opt/conda/bin",
    JAVA_HOME: "/opt/java",
    TOKEN: "secret",
    KAROTTE_SANDBOX: "x",
    KAROTTE_WORKDIR: "/elsewhere",
  };
  assertEquals(studentVariables({ image, run: { MORE: "1" }, withheld: ["TOKEN"] }), {
    PATH: "/workdir/bin:bin:/opt/conda/bin",
    LANG: "C.UTF-8",
    JAVA_HOME: "/opt/java",
    KAROTTE_CONTAINERIZED: "1",
    KAROTTE_WORKDIR: "/workdir",
    MORE: "1",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "/workdir/data",
  });
  const { PATH } = studentVariables({ image: {}, run: {}, withheld: [] });
  assertEquals(PATH, "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
});
