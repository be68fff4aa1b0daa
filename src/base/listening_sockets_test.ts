import { assert, assertEquals } from "@std/assert";
import { listeningSockets } from "./listening_sockets.ts";
import { tempDir } from "./temp_dir.ts";

Deno.test("listeningSockets() tells addresses and owners of TCP, UDP and UNIX sockets", async () => {
  await using dir = await tempDir();
  using four = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  using unix = Deno.listen({ transport: "unix", path: `${dir.path}/socket` });
  assert(unix);
  const found = listeningSockets();
  const of = (address: string) => found.filter((socket) => socket.address === address);
  const [own] = of(`127.0.0.1:${(four.addr as Deno.NetAddr).port}`);
  assertEquals(own?.uid, Deno.uid() ?? undefined);
  assertEquals(of(`unix:${dir.path}/socket`).map(({ uid }) => uid), [undefined]);
  const links = [...Deno.readDirSync("/proc/self/fd")].map(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "closed by now";
    }
  });
  assert(links.includes(`socket:[${own?.inode}]`));
});

Deno.test({
  name: "listeningSockets() writes addresses of IPv6 in their shortest form",
  ignore: Deno.networkInterfaces().every(({ family }) => family !== "IPv6"),
  fn() {
    using six = Deno.listen({ hostname: "::1", port: 0 });
    const { port } = six.addr as Deno.NetAddr;
    assert(listeningSockets().some(({ address }) => address === `[::1]:${port}`));
  },
});
