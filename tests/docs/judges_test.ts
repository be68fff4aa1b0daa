import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { run } from "../../src/base/process.ts";
import { bashScript, testEnvironment } from "../cli/environment.ts";
import { karotte } from "../cli/karotte.ts";
import { codeBlocks } from "./markdown_blocks.ts";

const PAGE = fromFileUrl(new URL("../../docs/judges.md", import.meta.url));
const PACKAGES = ["pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py.py"];

/** The folder that this machine's pytest is in; undefined: it has none. */
async function pytestFolder(): Promise<string | undefined> {
  const find = "import pytest, pluggy, iniconfig, packaging, pygments; print(pytest.__file__)";
  const { code, stdout } = await run(["python3", "-c", find]);
  if (code !== 0) return undefined;
  return new TextDecoder().decode(stdout).trim().replace(/\/pytest\/__init__\.py$/, "");
}

const folder = await pytestFolder();
const told = folder === undefined ? " (ignored: python3 has no pytest)" : "";

/** What a student may write into `solution.py`, and what that scores. */
const SOLUTIONS: Readonly<Record<string, readonly [text: string, score: number]>> = {
  "is right": ["print(sum(map(int, input().split())))", 1],
  "is wrong": ["print(3)", 0],
  "ends at once with status 0": ["import os; print(3); os._exit(0)", 0],
  "starts what would stay, and never ends": [
    "import os\nif os.fork() == 0: os.setsid()\nwhile True: pass",
    0,
  ],
};

/** Files that pytest would use if it looked where the student can write. */
const PATCHES = "for name in conftest pytest subprocess sitecustomize; do " +
  "echo 'import os; os._exit(0)' > $name.py; done; printf '[pytest]\\naddopts = --co\\n' > pytest.ini";

for (const [what, [solution, score]] of Object.entries(SOLUTIONS)) {
  Deno.test({
    name: `the recipe for hidden tests with pytest: a program that ${what}${told}`,
    ignore: folder === undefined,
    async fn() {
      const blocks = await codeBlocks(PAGE);
      const files = blocks.flatMap(({ file, code }) => file === undefined ? [] : [[file, code]]);
      assertEquals(files.map(([file]) => file), [
        "src/environment/tasks/adder.ts",
        "src/environment/scoring/run_tests.ts",
        "root_data/tests/test_solution.py",
      ]);
      await using environment = await testEnvironment({
        ...Object.fromEntries(files.map(([file, code]) => [`/${file}`, code])),
        "fake_model.ts": bashScript(
          `cat > solution.py <<'EOF'\n${solution}\nEOF\n`,
          // Beside the solution they would break it, which is no trick.
          score === 1 ? "true" : PATCHES,
        ),
      });
      // The image of the recipe has pytest, and this machine's Python may have it elsewhere.
      const task = `${environment.path}/src/environment/tasks/adder.ts`;
      const text = await Deno.readTextFile(task);
      const script = `script: "scoring/run_tests.ts"`;
      await Deno.writeTextFile(
        task,
        text.replace(script, `${script}, env: { PYTHONPATH: "/root_data/python" }`),
      );
      await Deno.mkdir(`${environment.path}/root_data/python`);
      const packages = PACKAGES.map((name) => `${folder}/${name}`);
      const target = `${environment.path}/root_data/python/`;
      assertEquals((await run(["cp", "-r", "--", ...packages, target])).code, 0);
      const args = ["run", "--task", "adder", "--fake-model", "--run-id", "r1"];
      const { code, stdout, stderr } = await karotte(args, { cwd: environment.path });
      assertEquals(code, 0, stderr);
      assertMatch(stdout, new RegExp(`^ {2}step 0: score ${score}$`, "m"), stderr);
      assertMatch(stderr, /\| (2 passed|\d failed)/);
    },
  });
}
