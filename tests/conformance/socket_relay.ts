/** Makes the Unix socket in the arguments reachable by TCP; says the port. */
const [path = ""] = Deno.args;
const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
console.log(listener.addr.port);
for await (const client of listener) relay(client);

async function relay(client: Deno.Conn): Promise<void> {
  using near = client;
  using far = await Deno.connect({ transport: "unix", path });
  await Promise.all([pump(near, far), pump(far, near)]);
}

/** Hands the end of one direction on and leaves the other open: docker's streams end one by one. */
async function pump(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
      for (let sent = 0; sent < count;) sent += await to.write(buffer.subarray(sent, count));
    }
    await to.closeWrite();
  } catch {
    // Either end may go at any time; the other one notices.
  }
}
