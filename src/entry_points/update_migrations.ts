import { z } from "zod";
import type { UpdateMigration } from "../sdk/update_migration.ts";
import { callPlugin, pluginError } from "./entry.ts";
import { entryPoint, functionOf } from "./entry_point.ts";
import { inNameOrder } from "./merge.ts";

/** All migrations as one: what one of them throws comes out as a plugin error. */
export interface UpdateMigrations {
  readonly names: readonly string[];
  prepare(projectDirectory: string): Promise<void>;
  /** Returns the command that runs a release; null: no plugin says. */
  tool(version: string): Promise<readonly string[] | null>;
  migrate(baselineDirectory: string, projectDirectory: string, oldVersion: string): Promise<void>;
}

/**
 * What template packages do when an environment made from them is updated: all `prepare` and
 * `migrate` in the order of their names; of the `tool`s the first that does not return null.
 *
 * ```ts
 * "karotte.update_migrations": {
 *   acme: { prepare: (project) => Deno.rename(`${project}/acme.json`, `${project}/deno.json`) },
 * }
 * ```
 */
export const updateMigrations = entryPoint({
  group: "karotte.update_migrations",
  summary: "An object with prepare(), tool() or migrate().",
  check: z.custom<UpdateMigration>((value) => isMigration.safeParse(value).success, {
    error: "expected an object with prepare(), tool() or migrate()",
  }),
  async merge(entries): Promise<UpdateMigrations> {
    const all = await inNameOrder(entries);
    return {
      names: all.map(({ origin }) => origin.name),
      async prepare(project) {
        for (const each of all) await callPlugin(each, () => each.value.prepare?.(project));
      },
      async tool(version) {
        for (const each of all) {
          const answer: unknown = await callPlugin<unknown>(each, () => each.value.tool?.(version));
          if (answer === undefined || answer === null) continue;
          const command = z.array(z.string()).min(1).safeParse(answer);
          if (command.success) return command.data;
          throw pluginError(each.origin, "tool() returned neither null nor a list of texts");
        }
        return null;
      },
      async migrate(...places) {
        for (const each of all) await callPlugin(each, () => each.value.migrate?.(...places));
      },
    };
  },
  show: ({ names }) => names,
});

const isMigration = z.looseObject({
  prepare: functionOf().optional(),
  tool: functionOf().optional(),
  migrate: functionOf().optional(),
}).refine(({ prepare, tool, migrate }) => prepare ?? tool ?? migrate);
