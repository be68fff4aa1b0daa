import process from "node:process";

/** What is used of `@npmcli/arborist`, which has no types of its own. */
export interface Arborist {
  /** Works out which versions go where; asks the registry, writes nothing. */
  buildIdealTree(): Promise<IdealTree>;
  /** Makes `node_modules` be what the lock file says. */
  reify(options: { save: boolean }): Promise<unknown>;
}

export interface IdealTree {
  readonly meta: { commit(): { readonly packages: Readonly<Record<string, unknown>> } };
}

/** Settings that it hands on to the code that talks to registries. */
export interface NpmOptions {
  readonly cache: string;
  readonly [name: string]: unknown;
}

export type ArboristOptions = NpmOptions & { readonly path: string };

/** Loads npm's own installer: nothing else knows all of npm's rules. It takes 0.2 s. */
export async function createArborist(options: ArboristOptions): Promise<Arborist> {
  const { default: Constructor } = await import("@npmcli/arborist");
  // The package is JavaScript; the interface says what its documentation does.
  const arborist = new (Constructor as new (options: ArboristOptions) => Arborist)(options);
  return {
    buildIdealTree: () => arborist.buildIdealTree(),
    reify: (how) => withoutNewListeners(() => arborist.reify(how)),
  };
}

/**
 * It listens to signals while it works, and forgets to stop when it fails: Ctrl-C would be dead.
 */
async function withoutNewListeners<T>(work: () => Promise<T>): Promise<T> {
  const before = new Set(signalListeners().map(([, listener]) => listener));
  try {
    return await work();
  } finally {
    for (const [signal, listener] of signalListeners()) {
      if (!before.has(listener)) process.removeListener(signal, listener);
    }
  }
}

function signalListeners(): [signal: NodeJS.Signals, listener: () => void][] {
  return process.eventNames().flatMap((name) =>
    String(name).startsWith("SIG")
      // Its listeners look at no argument.
      ? process.listeners(name as NodeJS.Signals).map((listener) =>
        [name, listener] as [NodeJS.Signals, () => void]
      )
      : []
  );
}
