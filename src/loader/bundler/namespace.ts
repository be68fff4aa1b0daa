/** The name that a bundle exports all of a CommonJS module by. */
export const COMMON_JS_EXPORT = "karotteCommonJs";

type Namespace = Readonly<Record<string, unknown>>;

/**
 * What a bundle's namespace would be if the module had been imported as it is. That of CommonJS has
 * all that is exported as `default`, unless a compiler made it from a module that has a default.
 */
export function authorsNamespace(bundle: Namespace): Namespace {
  if (!Object.hasOwn(bundle, COMMON_JS_EXPORT)) return bundle;
  const exports = bundle[COMMON_JS_EXPORT];
  if ((typeof exports !== "object" && typeof exports !== "function") || exports === null) {
    return { default: exports };
  }
  // Any object can be asked for properties.
  const names = exports as Namespace;
  const isCompiled = names.__esModule === true && Object.hasOwn(names, "default");
  return { ...names, default: isCompiled ? names.default : exports };
}
