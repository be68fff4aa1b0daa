import { WORK_DIRECTORY } from "../protocol/layout.ts";

/** Files below a home that hold nothing but credentials. */
const SECRET_FILES = [
  ".config/uv/credentials.toml",
  ".netrc",
  ".git-credentials",
  ".config/gh/hosts.yml",
  ".config/gcloud/application_default_credentials.json",
  ".config/gcloud/credentials.db",
  ".config/gcloud/access_tokens.db",
  ".aws/credentials",
  ".kube/config",
  ".cache/huggingface/token",
  ".huggingface/token",
  ...[".local/share", ".config"].flatMap((folder) =>
    ["keyring_pass.cfg", "crypted_pass.cfg"].map((name) => `${folder}/python_keyring/${name}`)
  ),
];

/** Folders below a home in which every file is a credential. */
const SECRET_FOLDERS = [".local/share/uv/credentials", ".config/gcloud/legacy_credentials"];

/** Settings that may hold a credential among other things. */
const SETTINGS = [
  ".npmrc",
  ".pypirc",
  ".docker/config.json",
  ".config/pip/pip.conf",
  ".config/uv/uv.toml",
];
const SETTINGS_BYTES = 64 * 1024;

const SECRET_KEY =
  /(?:^|[\s"':])(?:_authtoken|_auth|_password|password|auth|identitytoken|access_token|refresh_token|api_key)"?\s*[=:]\s*"?([^\s"'$,;{[][^\s"',]*)/i;
const URL_WITH_PASSWORD = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@$]+:[^\s/@$]+@/i;

/**
 * Paths of credentials that somebody left in this image, in the homes of root, of the student and
 * of other users. Empty files and links that lead nowhere count as none.
 */
export async function findCredentials(homes?: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const home of homes ?? await homesHere()) {
    for (const file of SECRET_FILES) {
      if (await hasContent(`${home}/${file}`)) found.push(`${home}/${file}`);
    }
    for (const folder of SECRET_FOLDERS) found.push(...await filesBelow(`${home}/${folder}`));
    found.push(...(await filesIn(`${home}/.ssh`)).filter(isPrivateKey));
    for (const file of SETTINGS) {
      if (await holdsSecret(`${home}/${file}`)) found.push(`${home}/${file}`);
    }
  }
  for (const folder of namedFolders()) found.push(...await filesBelow(folder));
  return [...new Set(found)].sort();
}

/** Whether settings hold a key with a value of its own, or a URL with a password. */
export function textHoldsSecret(text: string): boolean {
  return text.split("\n").some((line) => {
    if (/^\s*[#;]/.test(line)) return false;
    return SECRET_KEY.test(line) || URL_WITH_PASSWORD.test(line);
  });
}

async function homesHere(): Promise<string[]> {
  const named = ["HOME", "ROOT_WORKDIR", "STUDENT_WORKDIR", "KAROTTE_WORKDIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value?.startsWith("/") ? [value.replace(/\/+$/, "")] : [];
  });
  const users = (await entriesOf("/home")).map(({ name }) => `/home/${name}`);
  return [...new Set(["/root", WORK_DIRECTORY, ...named, ...users])];
}

function namedFolders(): string[] {
  const uv = Deno.env.get("UV_CREDENTIALS_DIR");
  const data = Deno.env.get("XDG_DATA_HOME");
  return [...(uv ? [uv] : []), ...(data ? [`${data}/uv/credentials`] : [])];
}

function isPrivateKey(path: string): boolean {
  return /\/id_[^/]*$/.test(path) && !path.endsWith(".pub");
}

async function holdsSecret(path: string): Promise<boolean> {
  if (!await hasContent(path)) return false;
  using file = await Deno.open(path);
  const buffer = new Uint8Array(SETTINGS_BYTES);
  let length = 0;
  for (
    let count = await file.read(buffer);
    count;
    count = await file.read(buffer.subarray(length))
  ) {
    length += count;
    if (length === buffer.length) break;
  }
  return textHoldsSecret(new TextDecoder().decode(buffer.subarray(0, length)));
}

/** Through links. */
async function hasContent(path: string): Promise<boolean> {
  const info = await Deno.stat(path).catch(absent);
  return info !== undefined && info.isFile && info.size > 0;
}

async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await entriesOf(folder)) {
    if (await hasContent(`${folder}/${name}`)) found.push(`${folder}/${name}`);
  }
  return found;
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await filesIn(folder);
  for (const { name, isDirectory } of await entriesOf(folder)) {
    if (isDirectory) found.push(...await filesBelow(`${folder}/${name}`));
  }
  return found;
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    return absent(error) ?? [];
  }
}

/** What is not there, and a link that leads nowhere or in circles. */
function absent(error: unknown): undefined {
  const code = (error as { code?: string }).code ?? "";
  if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) return undefined;
  throw error;
}
