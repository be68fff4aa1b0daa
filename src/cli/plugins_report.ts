import { messageOf } from "../base/errors.ts";
import { printLine, warn } from "../base/log.ts";
import { ALL_ENTRY_POINTS } from "../entry_points/all.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { type Approvals, openRegistry } from "../plugins/open_registry.ts";
import type { PluginFlags } from "../plugins/plugin_flags.ts";
import type { Registry } from "../plugins/registry.ts";
import type { RawEntry } from "../plugins/registry_entry.ts";
import type { CommandContext } from "./context.ts";
import type { ManifestState } from "./project_trust.ts";

/** An entry as `karotte plugins list` shows it. */
export interface ReportedEntry {
  readonly group: string;
  readonly name: string;
  readonly plugin: string;
  readonly module: string;
  /** Null: a file, or a package that was never installed. */
  readonly version: string | null;
  readonly manifest: string;
  /** Only if nothing was loaded. */
  readonly state?: ManifestState;
  /** Only if it was loaded, or tried to. */
  readonly outcome?: "loaded" | "skipped" | "ignored";
  readonly cause?: string;
}

/** A module of which it is not known what it adds. */
export interface UnknownModule {
  readonly module: string;
  readonly manifest: string;
  readonly state: ManifestState;
}

export interface PluginReport {
  readonly manifests: readonly string[];
  readonly entries: readonly ReportedEntry[];
  /** Modules of which it is not known what they add; only if nothing was loaded. */
  readonly unknown?: readonly UnknownModule[];
  /** What consumers get, by entry point; only if everything was loaded. */
  readonly merged?: Readonly<Record<string, unknown>>;
  /** What can't be used, one line each. */
  readonly failures: readonly string[];
}

/** Opens the registry so that whatever is broken can be shown; warnings go to stderr. */
export async function registryToShow(
  { directory, builtins }: CommandContext,
  flags: PluginFlags,
  approvals: Approvals,
): Promise<Registry> {
  const { BUILTIN_AGENTS } = await import("../host/agents.ts");
  return await openRegistry({
    directory,
    flags,
    approvals,
    cacheDirectory: cacheDirectory(),
    warn,
    lenient: true,
    builtins: {
      "karotte.cli": [...builtins, "help"],
      "karotte.cli_agents": BUILTIN_AGENTS,
    },
  });
}

/** Lists what there is, by name only. */
export async function listReport(
  registry: Registry,
  stateOf: (manifest: string) => ManifestState,
): Promise<PluginReport> {
  const entries: ReportedEntry[] = [];
  for (const { group } of ALL_ENTRY_POINTS) {
    for (const entry of await registry.entriesOf(group)) {
      const known = await reported(entry);
      entries.push({ ...known, state: stateOf(known.manifest) });
    }
  }
  const unknown = (await registry.unknownModules()).map((
    { target: { written: module }, manifest },
  ) => ({
    ...{ module, manifest },
    state: stateOf(manifest),
  }));
  return { manifests: registry.manifests, entries, unknown, failures: failuresOf(registry) };
}

/** Loads everything. */
export async function loadReport(registry: Registry): Promise<PluginReport> {
  const entries: ReportedEntry[] = [];
  const merged: Record<string, unknown> = {};
  const clashes: string[] = [];
  // All at once: one that never settles holds up the others no longer than itself.
  await Promise.allSettled(ALL_ENTRY_POINTS.map((token) => registry.loadAll(token)));
  for (const token of ALL_ENTRY_POINTS) {
    try {
      // Before the states, since what looks at a value may still skip entries.
      const value = await shownValue(registry, token);
      for (const { entry, outcome, cause } of await registry.loadAll(token)) {
        const known = { ...await reported(entry), outcome };
        entries.push(cause === undefined ? known : { ...known, cause });
      }
      merged[token.group] = value;
    } catch (error) {
      clashes.push(messageOf(error));
    }
  }
  const failures = [...failuresOf(registry), ...clashes];
  return { manifests: registry.manifests, entries, merged, failures };
}

/**
 * Returns what consumers get of an entry point, as JSON; of folders of templates what they hold.
 */
async function shownValue(registry: Registry, token: AnyEntryPoint): Promise<unknown> {
  const value = await registry.get(token);
  if (token.group !== "karotte.templates") return (token.show ? token.show(value) : value) ?? null;
  const { templateFolders } = await import("../templates/template_folders.ts");
  const folders = [...await templateFolders(registry)];
  return Object.fromEntries(folders.map(([id, { directory }]) => [id, directory]));
}

type AnyEntryPoint = (typeof ALL_ENTRY_POINTS)[number];

/** Prints a report as text for people, or as JSON. */
export function printReport(report: PluginReport, json: boolean): void {
  if (json) return printLine(JSON.stringify(report, null, 2));
  const rows = [
    ...report.entries.map(columnsOf),
    ...(report.unknown ?? []).map(({ module, manifest, state }) => [
      ...["-", "-", module, "-", manifest],
      `${state}, not loaded yet`,
    ]),
  ];
  printLine(rows.length === 0 ? "no plugins" : tableOf(rows));
  if (report.merged === undefined) return;
  printLine("\nMerged:");
  for (const [group, value] of Object.entries(report.merged)) {
    if (!isEmpty(value)) printLine(`  ${group}: ${JSON.stringify(value)}`);
  }
}

async function reported({ origin, version }: RawEntry): Promise<ReportedEntry> {
  const { group, name, plugin, module, manifest } = origin;
  return { group, name, plugin, module, version: await version() ?? null, manifest };
}

function failuresOf(registry: Registry): string[] {
  return registry.failures.map(({ what, cause }) => `${what}: ${cause}`);
}

function columnsOf(entry: ReportedEntry): string[] {
  const { group, name, module, version, manifest, state, outcome, cause } = entry;
  const found = outcome ?? state ?? "";
  return [
    ...[group, name, module, version ?? "-", manifest],
    cause === undefined ? found : `${found}: ${cause}`,
  ];
}

function tableOf(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  return rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  ).join("\n");
}

function isEmpty(value: unknown): boolean {
  return value === null || Object.keys(Object(value)).length === 0;
}
