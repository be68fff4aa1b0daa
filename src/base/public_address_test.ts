import { assertEquals } from "@std/assert";
import { isLoopbackHost, isPublicAddress, mayBePublicHost } from "./public_address.ts";

Deno.test("isPublicAddress() knows the addresses that are not the internet's", () => {
  const own = [
    ...["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"],
    ...["0.0.0.0", "255.255.255.255", "224.0.0.1", "::1", "::", "fe80::1", "fd00::1", "ff02::1"],
    ...[
      "::ffff:10.0.0.1",
      "::ffff:8.8.8.8",
      "64:ff9b::a00:1",
      "2002:a00:1::",
      "2001:0:1::1",
      "x",
      "",
    ],
  ];
  assertEquals(own.filter(isPublicAddress), []);
  const open = ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::6810:1", "2a00:1450::1"];
  assertEquals(open.filter((address) => !isPublicAddress(address)), []);
});

Deno.test("hosts of URLs are judged by what they show", () => {
  const url = (host: string) => new URL(`https://${host}/`);
  const own = ["localhost", "a.localhost", "localhost.", "[::1]", "127.1", "0x7f.1", "2130706433"];
  assertEquals(own.filter((host) => !isLoopbackHost(url(host))), []);
  const hidden = [...own, "intern", "npm.corp.internal", "nas.local", "10.0.0.1", "[fd00::1]"];
  assertEquals(hidden.filter((host) => mayBePublicHost(url(host))), []);
  const open = ["registry.npmjs.org", "1.1.1.1", "npm.example.com."];
  assertEquals(open.filter((host) => !mayBePublicHost(url(host)) || isLoopbackHost(url(host))), []);
});
