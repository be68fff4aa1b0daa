/** What the command line says about plugins. */
export interface PluginFlags {
  /** `--with SPEC`, each a module to load as `"plugins"` of a manifest would. */
  readonly with: readonly string[];
  /** `--plugins FILE` */
  readonly manifest?: string | undefined;
  /** `--no-plugins`: load none, whatever else is said. */
  readonly none: boolean;
  /** `--strict-plugins`: any failure is fatal. */
  readonly strict: boolean;
  /** `--offline`: install nothing. */
  readonly offline: boolean;
}

/** Nothing was said. */
export const NO_PLUGIN_FLAGS: PluginFlags = {
  with: [],
  none: false,
  strict: false,
  offline: false,
};
