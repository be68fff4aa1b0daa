import { ifThere } from "../base/files.ts";
import { changeOwner } from "../base/libc.ts";
import { KarotteError } from "../base/errors.ts";
import {
  CACHE_DIRECTORY,
  KAROTTE_DIRECTORY,
  PREPARED_MARK,
  PRIVATE_DIRECTORY,
  PROGRAM_DIRECTORY,
} from "../protocol/layout.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import { makeFolder, prepareLayout } from "./layout.ts";
import { type AccountFiles, withStudentAccount } from "./student_account.ts";

/** The mode of an account file that the image does not have. */
const NEW_FILE_MODE = 0o644;
const MAIL_FOLDERS = ["/var/mail", "/var/spool/mail"];

/**
 * `karotte prepare`: makes an image that holds the files of an environment into one that sandboxes
 * start from: the student's account, owners and modes. It needs no program of the image.
 */
export async function prepareImage(): Promise<void> {
  refuseElsewhere(Deno.execPath());
  const { files, earlierNames } = withStudentAccount(await readAccountFiles());
  for (const [name, text] of Object.entries(files)) {
    if (text !== undefined) await replaceFile(`/etc/${name}`, text);
  }
  for (const folder of MAIL_FOLDERS) {
    for (const name of earlierNames) await removeIfThere(`${folder}/${name}`);
  }
  await makeFolder("/opt", 0o755);
  await makeFolder(KAROTTE_DIRECTORY, 0o755);
  await makeFolder(PROGRAM_DIRECTORY, 0o755);
  await makeFolder(PRIVATE_DIRECTORY, 0o700);
  // What is in there was put there by the image, or by the start of this very command.
  await removeIfThere(CACHE_DIRECTORY);
  await makeFolder(CACHE_DIRECTORY, 0o700);
  await prepareLayout();
  await replaceFile(PREPARED_MARK, "");
}

/** A slip on the user's own machine would rewrite its accounts. */
export function refuseElsewhere(program: string): void {
  if (program.startsWith(`${PROGRAM_DIRECTORY}/`)) return;
  throw new KarotteError("usage", "Cannot prepare this machine: it is no image of Karotte", {
    hint: "`karotte build` runs this command inside the image that it makes.",
  });
}

async function readAccountFiles(): Promise<AccountFiles> {
  const [passwd, group, shadow, gshadow, subuid, subgid] = await Promise.all([
    readIfThere("/etc/passwd"),
    readIfThere("/etc/group"),
    readIfThere("/etc/shadow"),
    readIfThere("/etc/gshadow"),
    readIfThere("/etc/subuid"),
    readIfThere("/etc/subgid"),
  ]);
  return { passwd, group, shadow, gshadow, subuid, subgid };
}

async function readIfThere(path: string): Promise<string | undefined> {
  const info = await ifThere(Deno.lstat(path));
  if (info === undefined) return undefined;
  if (info.isFile) return await Deno.readTextFile(path);
  throw new KarotteError("usage", `Cannot change "${path}": it is not a regular file`, {
    hint: "The student's account is written to the image's own files in /etc.",
  });
}

/** At once, with the mode and the owner that the file has. */
async function replaceFile(path: string, text: string): Promise<void> {
  const partial = `${path}.karotte`;
  const info = await ifThere(Deno.lstat(path));
  await removeIfThere(partial);
  await Deno.writeTextFile(partial, text, { createNew: true });
  await Deno.chmod(partial, (info?.mode ?? NEW_FILE_MODE) & 0o7777);
  changeOwner(partial, { uid: info?.uid ?? 0, gid: info?.gid ?? 0 });
  await Deno.rename(partial, path);
}
