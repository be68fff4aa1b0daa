/** Names that say "environment" of the system's variables: that word is for the user's project. */
const REFUSED: Readonly<Record<TypeKind, readonly string[]>> = {
  values: ["environment"],
  lookup: ["environment", "env"],
};

/**
 * `values`: texts by name, as variables are handed on; `env` is the word of `Deno.Command` and of
 * the sdk for these. `lookup`: a function from a name to a text that may be missing.
 */
type TypeKind = "values" | "lookup";

/**
 * Refuses a parameter, a property or a constant whose declared type is that of variables and whose
 * name says that it is an environment. Types that go by a name of their own can't be told.
 */
export const variablesName: Deno.lint.Rule = {
  create(context) {
    const check = (node: Deno.lint.Node, name: string | undefined, type: TypeNode) => {
      const kind = kindOf(type);
      if (kind === undefined || name === undefined || !REFUSED[kind].includes(name)) return;
      context.report({
        node,
        message: `"${name}" holds the system's variables`,
        hint: kind === "values" ? "Call it variables" : "Call it readVariable",
      });
    };
    return {
      Identifier(node) {
        check(node, node.name, node.typeAnnotation?.typeAnnotation);
      },
      TSPropertySignature(node) {
        check(node, keyName(node.key), node.typeAnnotation?.typeAnnotation);
      },
      PropertyDefinition(node) {
        check(node, keyName(node.key), node.typeAnnotation?.typeAnnotation);
      },
      TSMethodSignature(node) {
        const isLookup = isNameOnly(node.params) &&
          isMaybeString(node.returnType?.typeAnnotation);
        const name = keyName(node.key);
        if (!isLookup || name === undefined || !REFUSED.lookup.includes(name)) return;
        const message = `"${name}" holds the system's variables`;
        context.report({ node, message, hint: "Call it readVariable" });
      },
    };
  },
};

type TypeNode = Deno.lint.TypeNode | undefined;

function kindOf(type: TypeNode): TypeKind | undefined {
  switch (type?.type) {
    case "TSTypeReference": {
      const { typeName, typeArguments } = type;
      if (typeName.type !== "Identifier") return undefined;
      const [first, second] = typeArguments?.params ?? [];
      if (typeName.name === "Readonly" || typeName.name === "Partial") return kindOf(first);
      return typeName.name === "Record" && first?.type === "TSStringKeyword" &&
          isMaybeString(second)
        ? "values"
        : undefined;
    }
    case "TSFunctionType":
      return isNameOnly(type.params) && isMaybeString(type.returnType?.typeAnnotation)
        ? "lookup"
        : undefined;
    case "TSUnionType":
      return type.types.map(kindOf).find((kind) => kind !== undefined);
    default:
      return undefined;
  }
}

/** Tells whether the parameters are one of type `string`. */
function isNameOnly(params: readonly Deno.lint.Parameter[]): boolean {
  const [only] = params;
  return params.length === 1 && only?.type === "Identifier" &&
    only.typeAnnotation?.typeAnnotation.type === "TSStringKeyword";
}

/** Tells whether a type is `string`, or a union of that with `undefined` or `null`. */
function isMaybeString(type: TypeNode): boolean {
  if (type?.type === "TSStringKeyword") return true;
  const isNothing = ({ type }: Deno.lint.TypeNode) =>
    type === "TSUndefinedKeyword" || type === "TSNullKeyword";
  return type?.type === "TSUnionType" && type.types.some(isMaybeString) &&
    type.types.every((each) => isNothing(each) || isMaybeString(each));
}

function keyName(key: Deno.lint.Node): string | undefined {
  return key.type === "Identifier" ? key.name : undefined;
}
