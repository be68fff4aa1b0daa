const LIBRARY_FILES = 10;

/**
 * An environment of the usual size, 20 files in `src/environment`, by path. Tasks and tools share a
 * library.
 */
export const SAMPLE_ENVIRONMENT: Readonly<Record<string, string>> = {
  "deno.json": '{ "imports": { "@karotte/cli/sdk": "jsr:@karotte/cli@^0.1/sdk" } }',
  ...files(5, "tasks/task", taskSource),
  ...files(3, "tools/tool", toolSource),
  ...files(2, "scoring/check", scoringSource),
  ...files(LIBRARY_FILES, "library/part", librarySource),
};

function files(count: number, name: string, source: (index: number) => string) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `src/environment/${name}_${index}.ts`,
      source(index),
    ]),
  );
}

function taskSource(index: number): string {
  return `
    import { createTask, RegexJudge } from "@karotte/cli/sdk";
    import { sumOf0 } from "../library/part_${2 * index}.ts";
    import { sumOf1 } from "../library/part_${2 * index + 1}.ts";

    const expected = sumOf0([{ name: "a", price: 1 }]) + sumOf1([{ name: "b", price: 2 }]);

    export default createTask({
      id: "task_${index}",
      tools: ["bash", "tool_0"],
      systemPrompt: null,
      steps: [{
        instructions: "What is the sum?",
        judge: new RegexJudge({ pattern: String(expected) }),
      }],
    });`;
}

function toolSource(index: number): string {
  return `
    import { defineTool, z } from "@karotte/cli/sdk";
    import { sumOf2 } from "../library/part_${index}.ts";

    export default defineTool({
      description: "Adds up prices.",
      input: z.object({ prices: z.array(z.number()) }),
      run: ({ prices }) => String(sumOf2(prices.map((price) => ({ name: "", price })))),
    });`;
}

function scoringSource(index: number): string {
  return `
    import { sumOf3 } from "../library/part_${index}.ts";

    const verdict = { score: sumOf3([{ name: "a", price: 1 }]), metadata: {} };
    await Deno.writeTextFile(Deno.args.at(-1)!, JSON.stringify(verdict));`;
}

/** Some 150 lines; each part but the last uses the next one. */
function librarySource(index: number): string {
  const functions = Array.from({ length: 12 }, (_, number) => `
    /** The sum of all prices that are not below ${number}. */
    export function sumOf${number}(items: readonly Item[]): number {
      let sum = 0;
      for (const { name, price } of items) {
        if (price < ${number}) continue;
        if (name.startsWith("-")) throw new RangeError(\`Cannot add "\${name}"\`);
        sum += price;
      }
      return sum + OFFSET;
    }`);
  const offset = index + 1 < LIBRARY_FILES
    ? `import { OFFSET as NEXT } from "./part_${index + 1}.ts";\n    export const OFFSET = NEXT;`
    : "export const OFFSET = 0;";
  return `
    ${offset}

    export interface Item {
      readonly name: string;
      readonly price: number;
    }
    ${functions.join("\n")}`;
}
