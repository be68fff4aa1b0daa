import { KarotteError, messageOf } from "../base/errors.ts";
import type { Entry, LoadedEntry, Origin } from "../entry_points/entry.ts";
import type { EntryPoint } from "../entry_points/entry_point.ts";
import { problems } from "../schemas/problems.ts";
import type { ModuleSource } from "./module_loader.ts";
import type { Boxed } from "./plugin_module.ts";

/** An entry whose value nobody has looked at. */
export interface RawEntry {
  readonly origin: Origin;
  readonly source: ModuleSource;
  /** Returns the version of its package; undefined: a file, or not known before it is loaded. */
  version(): Promise<string | undefined>;
  /** Rejects with the reason if there is no value to be had. */
  read(): Promise<Boxed>;
}

/** An entry of a token: its value is loaded and checked once, and a failure told once. */
export class RegistryEntry<Value> implements Entry<Value> {
  readonly origin: Origin;
  readonly #raw: RawEntry;
  readonly #check: EntryPoint<Value, unknown>["check"];
  readonly #fail: (origin: Origin, cause: string, thrown: unknown) => void;
  #loading: Promise<LoadedEntry<Value> | undefined> | undefined;

  /** Takes a `fail` that may throw: then so does every `load`. */
  constructor(
    raw: RawEntry,
    check: EntryPoint<Value, unknown>["check"],
    fail: (origin: Origin, cause: string, thrown: unknown) => void,
  ) {
    this.origin = raw.origin;
    this.#raw = raw;
    this.#check = check;
    this.#fail = fail;
  }

  load(): Promise<LoadedEntry<Value> | undefined> {
    return this.#loading ??= this.#load();
  }

  async #load(): Promise<LoadedEntry<Value> | undefined> {
    try {
      const { value } = await this.#raw.read();
      return { origin: this.origin, value: this.#checked(value) };
    } catch (error) {
      this.#fail(this.origin, causeOf(error, this.origin.module), error);
      return undefined;
    }
  }

  #checked(value: unknown): Value {
    const checked = this.#check.safeParse(value);
    if (checked.success) return checked.data;
    throw new Error(problems(checked.error, value).join("; "));
  }
}

/** Returns the message of an error, without what the name of the module says already. */
export function causeOf(error: unknown, module: string): string {
  const message = messageOf(error);
  if (!(error instanceof KarotteError)) return message;
  const start = /^Cannot load "(.+?)": /.exec(message);
  const isSaid = start?.[1] !== undefined && module.startsWith(start[1]);
  return isSaid ? message.slice(start?.[0].length) : message;
}
