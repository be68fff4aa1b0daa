import { join, relative } from "node:path";

interface Power {
  /** `OBJECT.MEMBER` or a global's name. */
  name: string;
  /** The modules that may use it, from the root; the first one is what others are told. */
  homes: readonly [string, ...string[]];
  /** What others do instead. */
  instead: string;
}

const POWERS: readonly Power[] = [
  { name: "Deno.Command", homes: ["src/base/process.ts"], instead: "call run() or spawn()" },
  { name: "Deno.dlopen", homes: ["src/base/libc.ts"], instead: "call its functions" },
  {
    name: "Deno.exit",
    homes: ["main.ts", "src/harness/program.ts"],
    instead: "throw, or return an exit status",
  },
  { name: "console", homes: ["src/base/log.ts"], instead: "call printLine(), logLine() or warn()" },
];

/** Node's names for the same powers. */
const MODULES: Readonly<Record<string, Power["name"]>> = {
  "node:child_process": "Deno.Command",
  "node:console": "console",
};

const ROOT = join(import.meta.dirname ?? ".", "../..");

/** Refuses a power outside of the files that may use it. */
export const onePlace: Deno.lint.Rule = {
  create(context) {
    const path = relative(ROOT, context.filename);
    if (isExempt(path)) return {};
    const check = (node: Deno.lint.Node, name: string | undefined) => {
      const power = POWERS.find((power) => power.name === name);
      if (power === undefined || power.homes.includes(path)) return;
      context.report({
        node,
        message: `${power.name} is used in ${power.homes[0]} only`,
        hint: `Elsewhere ${power.instead}`,
      });
    };
    return {
      MemberExpression(node) {
        const object = globalName(node.object);
        check(node, object === "Deno" ? `Deno.${propertyName(node)}` : object);
      },
      VariableDeclarator(node) {
        if (!node.init || globalName(node.init) !== "Deno") return;
        if (node.id.type !== "ObjectPattern") return;
        for (const property of node.id.properties) {
          if (property.type === "Property" && property.key.type === "Identifier") {
            check(property, `Deno.${property.key.name}`);
          }
        }
      },
      ImportDeclaration(node) {
        check(node, MODULES[node.source.value]);
      },
    };
  },
};

/** Tests and scripts are free, and so is code that is not ours to run. */
function isExempt(path: string): boolean {
  return path.endsWith("_test.ts") || /^(tests|scripts|src\/templates\/default)\//.test(path);
}

/** The name of a global: `x` and `globalThis.x` are the same one. */
function globalName(node: Deno.lint.Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || globalName(node.object) !== "globalThis") {
    return undefined;
  }
  return propertyName(node);
}

function propertyName(node: Deno.lint.MemberExpression): string | undefined {
  if (node.property.type === "Identifier" && !node.computed) return node.property.name;
  return node.property.type === "Literal" ? String(node.property.value) : undefined;
}
