import { KarotteError, messageOf } from "../../base/errors.ts";
import { VERSION } from "../../base/version.ts";
import { PRIVATE_ADDRESS } from "./guarded_agent.ts";
import type { PackageSet } from "./package_set.ts";
import { SDK_PACKAGES } from "./packument_cache.ts";

export interface InstallErrorContext {
  /** What was to be installed, as messages name it. */
  readonly wanted: string;
  readonly offline: boolean;
  /** Packages that are younger than this are not used; undefined: all are. */
  readonly before: Date | undefined;
  /** What was being installed, if that is known. */
  readonly set: PackageSet | undefined;
  /** Packages with versions of which the registry does not say when they were published. */
  readonly undated: ReadonlySet<string>;
  redact(text: string): string;
}

const PRIVATE_AUTHORITY = "if its certificate is of a private authority: set " +
  "DENO_TLS_CA_STORE=system, or name a file with it in NODE_EXTRA_CA_CERTS";

/** The ways round the age delay. */
const EXEMPT = "a lock file pins one with its integrity, a plugin names the package in " +
  "age_delay_exemptions, or min-release-age-exclude in your own .npmrc does";

/** What npm's code throws. */
interface NpmError {
  readonly code?: string;
  readonly statusCode?: number;
  readonly pkgid?: string;
  readonly spec?: { readonly name?: string };
  readonly name?: string;
  readonly wanted?: string;
  readonly versions?: readonly string[];
}

/**
 * Says why packages can't be installed. The error that npm's code threw is not kept as a cause,
 * since what is in it may be secret.
 */
export function installError(thrown: unknown, context: InstallErrorContext): KarotteError {
  if (thrown instanceof KarotteError) return thrown;
  const { found, hint } = reason(thrown, context);
  return new KarotteError(
    "plugin",
    context.redact(`Cannot install ${context.wanted}: ${found}`),
    hint === undefined ? {} : { hint },
  );
}

function reason(thrown: unknown, context: InstallErrorContext): { found: string; hint?: string } {
  const message = messageOf(thrown).split("\n", 1)[0] ?? "";
  // Any other value has none of these properties.
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as NpmError;
  switch (error.code) {
    case "ENOTCACHED":
      return {
        found: `not installed, and Karotte is offline (${message})`,
        hint: "Run the command once without --offline.",
      };
    case "E404":
      return { found: `no such package in the registry: ${message}` };
    case "E401":
    case "E403":
      return {
        found: `the registry refuses access: ${message}`,
        hint: "Put a token for this registry into .npmrc.",
      };
    case "ETARGET":
    case "ENOVERSIONS":
      return noVersion(error, message, context);
    case "EINTEGRITY":
      return {
        found: `the content of ${changedPackage(message, context)} differs from what is expected`,
        hint: "Somebody changed a published package, or the lock file is of another registry.",
      };
    case "ERESOLVE":
      return { found: `its packages ask for versions that exclude each other: ${message}` };
    case PRIVATE_ADDRESS:
    case "ERR_INVALID_PROTOCOL":
      return {
        found: `a registry that the project names leads astray: ${message}`,
        hint:
          "Only public addresses are used over https, unless your own .npmrc names the registry.",
      };
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "ECONNREFUSED":
    case "ECONNRESET":
    case "ERR_SOCKET_TIMEOUT":
    case "ETIMEDOUT":
    case "EIDLETIMEOUT":
    case "ECONNECTIONTIMEOUT":
    case "ERESPONSETIMEOUT":
      return {
        found: `the registry can't be reached: ${message}`,
        hint: "Use --offline to go on with what is installed.",
      };
    default:
      if (error.code?.startsWith("EALLOW")) {
        return { found: `it depends on something that is not a package of a registry: ${message}` };
      }
      // A compiled program is told no more than "connection error" of a certificate it does not
      // know.
      return /certificate|connection error/i.test(message)
        ? { found: `${message} (${PRIVATE_AUTHORITY})` }
        : { found: message };
  }
}

/** The message has nothing but the two digests. */
function changedPackage(message: string, { set }: InstallErrorContext): string {
  const [, wanted] = /wanted (\S+)/.exec(message) ?? [];
  for (const [location, { name, version, integrity }] of Object.entries(set?.packages ?? {})) {
    if (integrity !== wanted || integrity === undefined) continue;
    return `"${name ?? location.replace(/^.*node_modules\//, "")}@${version}"`;
  }
  return `a package (${message})`;
}

function noVersion(error: NpmError, message: string, { before, undated }: InstallErrorContext) {
  const { name = "", wanted = "", versions = [] } = error;
  if (SDK_PACKAGES.includes(name)) {
    return {
      found: `it needs "@karotte/cli@${wanted}", and this is Karotte ${VERSION}`,
      hint: "Use a Karotte of that version, or another version of the plugin.",
    };
  }
  if (before === undefined || versions.length === 0) return { found: message };
  const day = before.toISOString().slice(0, 10);
  return undated.has(name)
    ? {
      found: `the registry does not say when the versions of "${name}" were published`,
      hint: `Only versions from before ${day} are used, unless ${EXEMPT}.`,
    }
    : {
      found: `no version of "${name}" that fits "${wanted}" is old enough`,
      hint: `Versions younger than ${day} are not used, unless ${EXEMPT}.`,
    };
}
