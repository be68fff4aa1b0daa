import { Buffer } from "node:buffer";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { warn } from "../../base/log.ts";
import { type Npmrc, parseNpmrc } from "./npmrc.ts";

/** How registries are reached. */
export interface RegistrySettings {
  /** Options for npm's own code: registries, tokens, proxies, certificates. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Replaces everything secret in a text. */
  redact(text: string): string;
}

export interface RegistrySettingsOptions {
  /** The project's `.npmrc` is the nearest one at this folder or above. */
  readonly directory: string;
  /**
   * Whether the project's `.npmrc` is the user's. That of a stranger may name registries, and
   * nothing else: with `${NAME}` it could send the user's variables to one of its own.
   */
  readonly isTrusted: boolean;
  readonly variable?: (name: string) => string | undefined;
}

const JSR_REGISTRY = "https://npm.jsr.io";

/**
 * Reads how registries are reached. A later one wins of: JSR's own, the user's `.npmrc`, the
 * project's, the variables.
 */
export async function registrySettings(
  options: RegistrySettingsOptions,
): Promise<RegistrySettings> {
  const { directory, isTrusted, variable = (name) => Deno.env.get(name) } = options;
  const jsr = variable("KAROTTE_JSR_NPM_REGISTRY") || JSR_REGISTRY;
  const home = variable("HOME") || homedir();
  const userConfig = variable("NPM_CONFIG_USERCONFIG") || variable("npm_config_userconfig") ||
    join(home, ".npmrc");
  const registry = variable("NPM_CONFIG_REGISTRY") || variable("npm_config_registry");
  const project = projectConfig(directory, home);
  const own = await readNpmrc(userConfig, variable);
  const near = project === undefined || project === userConfig
    ? []
    : isTrusted
    ? await readNpmrc(project, variable)
    : onlyRegistries(await readNpmrc(project, undefined));
  const settings = new Map([...own, ...near]);
  const flat = {
    "@jsr:registry": jsr,
    ...flatOptions(settings),
    ...(registry ? { registry } : {}),
  };
  const authorities = certificates(settings, variable("NODE_EXTRA_CA_CERTS"));
  return {
    options: authorities.length === 0 ? flat : { ...flat, ca: authorities },
    redact: redactor(flat),
  };
}

/** Returns the project's `.npmrc`, if it is one that the user or root wrote. */
function projectConfig(directory: string, home: string): string | undefined {
  for (let folder = directory; folder !== home; folder = dirname(folder)) {
    const path = join(folder, ".npmrc");
    const owner = infoOf(path)?.uid;
    if (owner !== undefined) return isOurs(owner, directory) ? path : undefined;
    if (infoOf(join(folder, ".git")) !== undefined || folder === dirname(folder)) break;
  }
  return undefined;
}

function isOurs(owner: number | null, directory: string): boolean {
  return [Deno.uid(), 0, infoOf(directory)?.uid].includes(owner);
}

function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

async function readNpmrc(
  path: string,
  variable: ((name: string) => string | undefined) | undefined,
): Promise<Npmrc> {
  try {
    return await parseNpmrc(Deno.readTextFileSync(path), variable);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) warn(`Cannot read "${path}": ${String(error)}`);
    return new Map();
  }
}

function onlyRegistries(settings: Npmrc): Npmrc {
  return new Map([...settings].filter(([key]) => /^(@[^:]+:)?registry$/.test(key)));
}

/** Settings that npm's code knows by other names than `.npmrc`. */
const NAMES: Readonly<Record<string, string>> = {
  registry: "registry",
  proxy: "proxy",
  "https-proxy": "httpsProxy",
  noproxy: "noProxy",
  "no-proxy": "noProxy",
};

function flatOptions(settings: Npmrc): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [key, value] of settings) {
    if (value === null) continue;
    const name = NAMES[key];
    if (name !== undefined) options[name] = value;
    if (key === "strict-ssl") options.strictSSL = value !== "false";
    if (key.startsWith("//") || /^@[^:]+:registry$/.test(key)) options[key] = value;
  }
  return options;
}

function certificates(settings: Npmrc, extra: string | undefined): string[] {
  const listed = [settings.get("ca")].flatMap((value) => value ?? []);
  const files = [settings.get("cafile"), extra].flatMap((path) => path || []);
  return [
    ...listed.map((certificate) => certificate.replaceAll("\\n", "\n")),
    ...files.flatMap(readCertificates),
  ];
}

function readCertificates(path: string): string[] {
  try {
    return [Deno.readTextFileSync(path)];
  } catch (error) {
    warn(`Cannot read the certificates in "${path}": ${String(error)}`);
    return [];
  }
}

function redactor(options: Readonly<Record<string, unknown>>): (text: string) => string {
  const secrets = Object.entries(options).flatMap(([key, value]) => {
    if (!/:(_authToken|_auth|_password)$/.test(key) || typeof value !== "string") return [];
    // Passwords and `_auth` are written in base64.
    return [value, Buffer.from(value, "base64").toString()];
  }).filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length);
  return (text) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text)
      .replace(/(?<=:\/\/)[^\s/@"']+(?=@)/g, "***");
}
