import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { Agent } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { isPublicAddress, mayBePublicHost } from "../../base/public_address.ts";

/** The part of node's `dns.lookup` that is used. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** An error of a connection to what is not the public's. */
export const PRIVATE_ADDRESS = "EPRIVATEADDRESS";

/**
 * Returns what npm's code asks for the agent of each request. The hosts that the user named get the
 * ordinary one (undefined); all others are reached over https only, and at public addresses only,
 * which are looked at when the connection is made: neither a redirect, nor the address of an
 * archive, nor what a name server says leads anywhere else.
 */
export function guardedAgent(
  ownHosts: ReadonlySet<string>,
  lookup: Lookup = systemLookup,
): (url: URL) => Agent | undefined {
  const guard = new PublicAgent({ keepAlive: false, lookup: publicLookup(lookup) });
  return ({ host }) => ownHosts.has(host) ? undefined : guard;
}

class PublicAgent extends Agent {
  override createConnection(...given: Parameters<Agent["createConnection"]>): Duplex {
    const [options] = given;
    const host = String(options.host);
    // An address is not looked up.
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw refused(host);
    if (!mayBePublicHost(new URL(`https://${isIP(host) === 6 ? `[${host}]` : host}/`))) {
      throw refused(host);
    }
    return super.createConnection(...given);
  }
}

/** Returns a `dns.lookup` that fails for a name of which any address is not the public's. */
export function publicLookup(lookup: Lookup) {
  return (
    hostname: string,
    options: LookupOptions,
    callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        return callback(error ?? new Error(`"${hostname}" has no address`), "");
      }
      const found = addresses.find(({ address }) => !isPublicAddress(address));
      if (found !== undefined) return callback(refused(hostname, found.address), "");
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

function refused(host: string, address?: string): Error {
  const where = address === undefined ? "" : `, which is ${address}`;
  const message = `"${host}"${where} is not an address of the internet`;
  return Object.assign(new Error(message), { code: PRIVATE_ADDRESS });
}
