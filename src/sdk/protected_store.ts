import type { z } from "zod";

/**
 * Files of one run that only root can read (folder 0700, files 0600): what a hook computes and a
 * judge needs later. Empty at the start of every run.
 */
export class ProtectedStore {
  readonly #directory: string;

  /** The folder must exist, belong to root and be closed to others. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Replaces the entry as a whole; anything but text and bytes is stored as JSON. */
  async write(name: string, value: unknown): Promise<void> {
    const path = this.#path(name);
    const content = typeof value === "string" || value instanceof Uint8Array
      ? value
      : JSON.stringify(value);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const partial = `${path}.${crypto.randomUUID()}.partial`;
    await Deno.writeFile(partial, bytes, { mode: 0o600, createNew: true });
    await Deno.rename(partial, path);
  }

  /** The entry's bytes; throws `Deno.errors.NotFound` if there is none. */
  readBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return Deno.readFile(this.#path(name));
  }

  /** Returns the entry's text; throws `Deno.errors.NotFound` if there is none. */
  readText(name: string): Promise<string> {
    return Deno.readTextFile(this.#path(name));
  }

  /** The entry parsed as JSON and checked by `schema`. */
  async read<Schema extends z.ZodType>(name: string, schema: Schema): Promise<z.output<Schema>> {
    return schema.parse(JSON.parse(await this.readText(name)));
  }

  #path(name: string): string {
    if (name.trim() === "" || name === "." || name === ".." || /[/\0]/.test(name)) {
      throw new TypeError(`Protected store: "${name}" is not a single file name`);
    }
    return `${this.#directory}/${name}`;
  }
}
