/** What an entry of a manifest names: a module, and one of its exports. */
export interface ModuleReference {
  readonly module: string;
  readonly attribute: string;
}

/** Splits `module#attribute`; without one it is `default`. A `#` of a path stays with it. */
export function splitReference(text: string): ModuleReference {
  const match = /^(.+)#([\p{ID_Start}$_][\p{ID_Continue}$]*)$/u.exec(text);
  return { module: match?.[1] ?? text, attribute: match?.[2] ?? "default" };
}
