import { BlockList, isIP, isIPv4 } from "node:net";

/** IPv4 networks that are not the public's (IANA's special-purpose registry, and multicast). */
const V4_NETWORKS = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];

/** Of the global IPv6 addresses, those that carry an IPv4 address or are for special use. */
const V6_NETWORKS = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const special = new BlockList();
for (const [networks, family] of [[V4_NETWORKS, "ipv4"], [V6_NETWORKS, "ipv6"]] as const) {
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    special.addSubnet(address, Number(bits), family);
  }
}
const globalV6 = new BlockList();
globalV6.addSubnet("2000::", 3, "ipv6");

/** Returns true for an IP address that any machine of the internet may have. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4");
  return isIP(address) === 6 && globalV6.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** Returns true if the host of a URL is this machine by its name or address. */
export function isLoopbackHost({ hostname }: URL): boolean {
  const name = hostOf(hostname);
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" ||
    (isIPv4(name) && name.startsWith("127."));
}

/**
 * Returns false for the host of a URL that shows by itself that it is not one of the internet. True
 * of a name says nothing yet of its addresses.
 */
export function mayBePublicHost({ hostname }: URL): boolean {
  const name = hostOf(hostname);
  if (isIP(name) !== 0) return isPublicAddress(name);
  return name.includes(".") &&
    !/\.(localhost|local|internal|lan|home|home\.arpa|intranet)$/.test(name);
}

/** Returns a URL's host name without the brackets of an IPv6 address and without a last dot. */
function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "").toLowerCase();
}
