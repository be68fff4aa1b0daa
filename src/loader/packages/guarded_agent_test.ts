import { assertEquals, assertRejects } from "@std/assert";
import type { LookupAddress } from "node:dns";
import { get } from "node:https";
import { guardedAgent, type Lookup, publicLookup } from "./guarded_agent.ts";

/** A name server that knows one name. */
function lookupOf(...addresses: string[]): Lookup {
  return (_name, _options, callback) =>
    callback(null, addresses.map((address) => ({ address, family: 4 })));
}

function addressesOf(lookup: Lookup, all = true): Promise<string | LookupAddress[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string | LookupAddress[]>();
  publicLookup(lookup)("a.test", { all }, (error, found) => error ? reject(error) : resolve(found));
  return promise;
}

Deno.test("publicLookup() knows only names of which every address is public", async () => {
  assertEquals(await addressesOf(lookupOf("1.1.1.1")), [{ address: "1.1.1.1", family: 4 }]);
  assertEquals(await addressesOf(lookupOf("1.1.1.1", "8.8.8.8"), false), "1.1.1.1");
  for (const bad of ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1"]) {
    await assertRejects(() => addressesOf(lookupOf("1.1.1.1", bad)), Error, `which is ${bad}`);
  }
  await assertRejects(() => addressesOf(lookupOf()), Error, "has no address");
});

Deno.test("guardedAgent() makes no connection to what is not the internet's", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const ask = (text: string, lookup: Lookup = lookupOf("127.0.0.1")) => {
    const url = new URL(text);
    const agent = guardedAgent(new Set(["own.test"]), lookup)(url);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    try {
      get(url, { ...agent ? { agent } : {} }, resolve).on("error", reject);
    } catch (error) {
      reject(error);
    }
    return promise;
  };
  for (const host of ["127.0.0.1", "localhost", "[::1]", "printer", "a.test"]) {
    await assertRejects(
      () => ask(`https://${host}:${port}/`),
      Error,
      "not an address of the internet",
    );
  }
  await assertRejects(() => ask(`http://a.test:${port}/`), Error, 'Protocol "http:" not supported');
  assertEquals(guardedAgent(new Set(["own.test"]))(new URL("http://own.test/")), undefined);
});
