import { KarotteError } from "../../base/errors.ts";
import { identityOf } from "../../trust/own_folder.ts";
import { changeTrust } from "../../trust/trust_record.ts";
import type { Wish } from "../../trust/wish.ts";

/** Remembers a yes to wishes as they are now, beside those that were said yes to before. */
export async function rememberYes(
  answers: readonly { readonly folder: string; readonly wish: Wish }[],
): Promise<void> {
  for (const [folder, of] of Map.groupBy(answers, ({ folder }) => folder)) {
    const given = Object.fromEntries(of.map(({ wish: { name, digest } }) => [name, digest]));
    await changeTrust(folder, (before) => ({
      ...before,
      wishes: { ...before?.wishes, ...given },
    }));
  }
}

/** Remembers all that a folder wishes for now as said yes to, and nothing else of it. */
export async function rememberOnly(folder: string, wishes: readonly Wish[]): Promise<void> {
  const given = Object.fromEntries(wishes.map(({ name, digest }) => [name, digest]));
  await changeTrust(folder, () => ({ wishes: given }));
}

/** Remembers folders as the user's own: whatever stands in them takes effect. */
export async function rememberOwn(folders: readonly string[]): Promise<void> {
  for (const folder of new Set(folders)) {
    const identity = identityOf(folder);
    if (folder === "/" || identity === undefined) {
      throw new KarotteError("usage", `Cannot call "${folder}" your own: name one folder in it`);
    }
    await changeTrust(folder, (before) => ({ own: identity, wishes: before?.wishes ?? {} }));
  }
}

/** Forgets all that was said about a folder. */
export async function forget(folder: string): Promise<void> {
  await changeTrust(folder, () => undefined);
}
