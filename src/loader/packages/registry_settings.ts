import { Buffer } from "node:buffer";
import { homedir } from "node:os";
import { join } from "node:path";
import { warn } from "../../base/log.ts";
import { fileDigest } from "../../cache/digest.ts";
import { guardedAgent } from "./guarded_agent.ts";
import { type Npmrc, parseNpmrc } from "./npmrc.ts";
import { findNpmrc } from "./project_npmrc.ts";
import {
  checkPublic,
  checkSecrecy,
  hostsOf,
  JSR_REGISTRY,
  NPM_REGISTRY,
  SECRET,
  strangeRegistries,
} from "./registry_checks.ts";

/** How registries are reached. */
export interface RegistrySettings {
  /** Options for npm's own code: registries, tokens, proxies, certificates. */
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * The registry of each scope, and under `registry` that of all others: what is fetched whence.
   */
  readonly registries: Readonly<Record<string, string>>;
  /** Chooses the agent of each request, where a stranger names a registry; absent: npm's own. */
  readonly agent?: (url: URL) => unknown;
  /** Packages that the user's own `.npmrc` exempts from the age delay. */
  readonly ageDelayExemptions: readonly string[];
  /** Replaces everything secret in a text. */
  redact(text: string): string;
}

export interface RegistrySettingsOptions {
  /** The project's `.npmrc` is the nearest one at this folder or above. */
  readonly directory: string;
  /**
   * Whether the project's `.npmrc` is the user's. That of a stranger may name public registries,
   * and nothing else: with `${NAME}` it could send the user's variables to one of its own, and with
   * an address of the user's network requests to what only the user reaches.
   */
  readonly isTrusted: boolean;
  readonly variable?: ((name: string) => string | undefined) | undefined;
}

/** The setting of npm for packages that may be new; one of a project does not count. */
const AGE_DELAY_EXEMPTIONS = "min-release-age-exclude";

/**
 * Reads how registries are reached. A later one wins of: JSR's own, the user's `.npmrc`, the
 * project's, the variables. Throws a usage error for a stranger's registry that is not public, and
 * for a token or password that would travel in plain text.
 */
export async function registrySettings(
  options: RegistrySettingsOptions,
): Promise<RegistrySettings> {
  const { isTrusted, variable = (name) => Deno.env.get(name) } = options;
  const { project, own, settings, flat, registries, mine } = await readSettings(options);
  const redact = redactor(flat);
  const strange = isTrusted ? [] : strangeRegistries(registries, mine);
  for (const url of strange) checkPublic(url, project ?? "", redact);
  for (const url of Object.values(registries)) checkSecrecy(url, flat, redact);
  const authorities = certificates(settings, variable("NODE_EXTRA_CA_CERTS"));
  return {
    options: authorities.length === 0 ? flat : { ...flat, ca: authorities },
    registries,
    ageDelayExemptions: [own.get(AGE_DELAY_EXEMPTIONS)].flatMap((names) => names ?? []),
    redact,
    // Through a proxy, the names are the proxy's to look up.
    ...(strange.length === 0 || hasProxy(flat, variable)
      ? {}
      : { agent: guardedAgent(hostsOf([NPM_REGISTRY, ...Object.values(mine)])) }),
  };
}

/** What the `.npmrc` of a project says that the user's own settings do not. */
export interface ProjectRegistries {
  /** Path of the `.npmrc`. */
  readonly path: string;
  /** SHA-256 of its text, in hex: whoever trusts it trusts all that it says. */
  readonly digest: string;
  /** URLs, with nothing secret in them. */
  readonly urls: readonly string[];
}

/**
 * Returns the registries that only a project's `.npmrc` names; undefined: there are none. Asks no
 * network.
 */
export async function projectRegistries(
  options: Pick<RegistrySettingsOptions, "directory" | "variable">,
): Promise<ProjectRegistries | undefined> {
  const read = await readSettings({ ...options, isTrusted: false });
  const urls = strangeRegistries(read.registries, read.mine);
  if (read.project === undefined || urls.length === 0) return undefined;
  const digest = fileDigest(read.project);
  return { path: read.project, digest, urls: [...new Set(urls.map(redactor(read.flat)))] };
}

/** Reads the user's settings, and those of the project as far as they count. */
async function readSettings(options: RegistrySettingsOptions) {
  const { directory, isTrusted, variable = (name) => Deno.env.get(name) } = options;
  const jsr = variable("KAROTTE_JSR_NPM_REGISTRY") || JSR_REGISTRY;
  const home = variable("HOME") || homedir();
  const userConfig = variable("NPM_CONFIG_USERCONFIG") || variable("npm_config_userconfig") ||
    join(home, ".npmrc");
  const registry = variable("NPM_CONFIG_REGISTRY") || variable("npm_config_registry");
  const found = findNpmrc(directory, home);
  const project = found === userConfig ? undefined : found;
  const own = await readNpmrc(userConfig, variable);
  const near = project === undefined
    ? new Map()
    : isTrusted
    ? await readNpmrc(project, variable)
    : onlyRegistries(await readNpmrc(project, undefined));
  const settings = new Map([...own, ...near]);
  const named = registry ? { registry } : {};
  const flat = { "@jsr:registry": jsr, ...flatOptions(settings), ...named };
  return {
    project,
    own,
    settings,
    flat,
    registries: registriesIn({ registry: NPM_REGISTRY, ...flat }),
    mine: registriesIn({ "@jsr:registry": jsr, ...flatOptions(own), ...named }),
  };
}

/** Returns the registries among npm's options, by the option's name. */
function registriesIn(options: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(options).filter(([key]) => /^(@[^:]+:)?registry$/.test(key));
  return Object.fromEntries(entries.map(([key, url]) => [key, String(url)]).sort());
}

function hasProxy(
  { proxy, httpsProxy }: Readonly<Record<string, unknown>>,
  variable: (name: string) => string | undefined,
): boolean {
  const names = ["https_proxy", "http_proxy", "proxy"];
  return [
    proxy,
    httpsProxy,
    ...names.flatMap((name) => [variable(name), variable(name.toUpperCase())]),
  ]
    .some(Boolean);
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
    if (!SECRET.test(key) || typeof value !== "string") return [];
    // Passwords and `_auth` are written in base64.
    return [value, Buffer.from(value, "base64").toString()];
  }).filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length);
  return (text) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text)
      .replace(/(?<=:\/\/)[^\s/@"']+(?=@)/g, "***");
}
