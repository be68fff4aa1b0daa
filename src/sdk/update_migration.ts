/**
 * What a template package does when an environment made from it is updated: the value of an entry
 * of `karotte.update_migrations`. Every method may be left out.
 */
export interface UpdateMigration {
  /** Comes first, before anything of the environment is read: may rename its manifest. */
  prepare?(projectDirectory: string): void | Promise<void>;
  /** The command that runs that release of the template package; null: not ours to say. */
  tool?(version: string): readonly string[] | null | Promise<readonly string[] | null>;
  /** Between rendering both releases and merging them: may change either folder. */
  migrate?(
    baselineDirectory: string,
    projectDirectory: string,
    oldVersion: string,
  ): void | Promise<void>;
}
