import * as nodeFs from "node:fs";

/** How a module is asked for: packages may answer `import` and `require` with different files. */
export type Manner = "import" | "require";

/** Finds the real path of what a specifier names, seen from a folder; undefined: not there. */
export type ResolveFile = (
  folder: string,
  specifier: string,
  manner: Manner,
) => string | undefined;

/**
 * Relative paths (with or without extension) and packages of `node_modules`, as node finds them.
 */
export async function fileResolver(): Promise<ResolveFile> {
  const { default: enhanced } = await import("enhanced-resolve");
  const { CachedInputFileSystem, ResolverFactory } = enhanced;
  const resolverFor = (conditionNames: string[]) =>
    ResolverFactory.createResolver({
      fileSystem: new CachedInputFileSystem(nodeFs, 60_000),
      useSyncFileSystemCalls: true,
      conditionNames,
      mainFields: ["main"],
      mainFiles: ["mod", "index"],
      extensions: [".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".jsx", ".json", ".node"],
      extensionAlias: { ".js": [".js", ".ts", ".tsx"], ".mjs": [".mjs", ".mts"] },
    });
  const resolvers = {
    import: resolverFor(["deno", "node", "import", "module-sync", "default"]),
    require: resolverFor(["deno", "node", "require", "module-sync", "default"]),
  };
  return (folder, specifier, manner) => {
    let found: string | false;
    try {
      // A `#` in a path is the start of a fragment for it, unless it is escaped by NUL.
      const request = specifier.startsWith("#") ? specifier : specifier.replaceAll("#", "\0#");
      found = resolvers[manner].resolveSync({}, folder, request);
    } catch {
      // It throws for what is not there; the caller knows more about what was asked for.
      return undefined;
    }
    return found === false ? undefined : found.replaceAll("\0", "");
  };
}
