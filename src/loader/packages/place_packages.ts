import { findDependency } from "./locked_packages.ts";
import type { LockedPackage, PackageSet } from "./package_set.ts";

/** A package of the graph of packages. */
export interface GraphPackage {
  /** What npm calls it. */
  readonly name: string;
  readonly fields: LockedPackage;
  /** Ids by the name that the package imports them by. */
  readonly dependencies: ReadonlyMap<string, string>;
  readonly optionalDependencies: ReadonlyMap<string, string>;
}

/** Two versions of a package that need each other would nest without an end. */
const MOST_LEVELS = 30;
/** Nobody has so many; a made-up graph could. */
const MOST_PACKAGES = 20_000;

interface Placed {
  readonly id: string;
  readonly location: string;
}

/**
 * Gives every package of a graph a folder where those that import it find it: the top where its
 * name is free there, else the importing package's own `node_modules`. `roots` are ids by folder.
 * Throws for a graph that has no end.
 */
export function placePackages(
  roots: ReadonlyMap<string, string>,
  packageOf: (id: string) => GraphPackage,
): PackageSet["packages"] {
  const placed: Record<string, Placed> = {};
  const required = requiredIds(roots, packageOf);
  let count = 0;
  const queue = [...roots].map(([folder, id]) => put(`node_modules/${folder}`, id));
  // All that one package imports gets its place before what those import, so that nothing is put
  // between a package and what it has found already.
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { dependencies, optionalDependencies } = packageOf(next.id);
    for (const [name, id] of [...dependencies, ...optionalDependencies]) {
      const found = findDependency(placed, next.location, name);
      if (found?.id === id) continue;
      const parent = found === undefined ? "" : `${next.location}/`;
      queue.push(put(`${parent}node_modules/${name}`, id));
    }
  }
  return Object.fromEntries(
    Object.values(placed).map(({ location, id }) => [location, fieldsOf(location, id)]),
  );

  function put(location: string, id: string): Placed {
    count++;
    if (count > MOST_PACKAGES) throw new TypeError("it has too many packages");
    if (location.split("node_modules/").length > MOST_LEVELS) {
      throw new TypeError(`"${id}" needs another version of itself, which needs it`);
    }
    return placed[location] = { id, location };
  }

  function fieldsOf(location: string, id: string) {
    const { name, fields, dependencies, optionalDependencies } = packageOf(id);
    return {
      ...fields,
      ...(location.endsWith(`node_modules/${name}`) ? {} : { name }),
      ...(required.has(id) ? {} : { optional: true }),
      dependencies: exact(dependencies),
      optionalDependencies: exact(optionalDependencies),
    };
  }

  function exact(ids: ReadonlyMap<string, string>): Record<string, string> {
    return Object.fromEntries([...ids].map(([alias, id]) => {
      const { name, fields: { version } } = packageOf(id);
      return [alias, alias === name ? version : `npm:${name}@${version}`];
    }));
  }
}

/** What must be there on every machine. */
function requiredIds(
  roots: ReadonlyMap<string, string>,
  packageOf: (id: string) => GraphPackage,
): Set<string> {
  const required = new Set<string>();
  const queue = [...roots.values()];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (required.has(id)) continue;
    required.add(id);
    queue.push(...packageOf(id).dependencies.values());
  }
  return required;
}
