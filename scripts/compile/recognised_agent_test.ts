import { assertEquals } from "@std/assert";
import { withRecognisedAgent } from "./recognised_agent.ts";

const output = (...inputs: string[]) => ({
  bytes: 0,
  imports: [],
  exports: [],
  inputs: Object.fromEntries(inputs.map((path) => [path, { bytesInOutput: 1 }])),
});

Deno.test("withRecognisedAgent() moves the package's file and mends the imports", () => {
  const files = withRecognisedAgent({
    files: new Map([
      ["main.js", 'import "./chunk-A.js"; import("./npm-B.js");'],
      ["chunk-A.js", "a();"],
      ["npm-B.js", 'import "./chunk-A.js"; import "./more-C.js";'],
      ["more-C.js", 'export * from "./npm-B.js";'],
    ]),
    outputs: {
      "main.js": output("work/main.ts"),
      "npm-B.js": output("x/node_modules/a/index.js", "x/node_modules/@npmcli/agent/lib/agents.js"),
      "more-C.js": output("x/node_modules/@npmcli/agent/lib/dns.js"),
    },
    inputs: {},
  });
  assertEquals(Object.fromEntries(files), {
    "main.js": 'import "./chunk-A.js"; import("./@npmcli/agent/npm-B.js");',
    "chunk-A.js": "a();",
    "@npmcli/agent/npm-B.js": 'import "../../chunk-A.js"; import "./more-C.js";',
    "@npmcli/agent/more-C.js": 'export * from "./npm-B.js";',
  });
});
