import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { type Registry, startRegistry } from "../registry/registry.ts";
import { verdaccioFolder } from "../registry/verdaccio.ts";
import { bareMachine, BINARY, binaryTest } from "./binary.ts";

const TLS = new URL("../fixtures/tls/", import.meta.url);
const verdaccio = BINARY === undefined ? undefined : await verdaccioFolder();

/** The registry behind TLS, as the public ones are. */
async function behindTls(registry: Registry) {
  const read = (name: string) => Deno.readTextFile(new URL(name, TLS));
  const [cert, key] = await Promise.all([read("certificate.pem"), read("key.pem")]);
  const options = { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} };
  const server = Deno.serve(options, async ({ url, headers }) => {
    const { origin, pathname } = new URL(url);
    const accept = headers.get("accept") ?? "*/*";
    const answer = await fetch(registry.url + pathname.slice(1), { headers: { accept } });
    if (!answer.headers.get("content-type")?.includes("json")) return answer;
    const text = (await answer.text()).replaceAll(registry.url, `${origin}/`);
    return new Response(text, {
      status: answer.status,
      headers: { "content-type": "application/json" },
    });
  });
  return {
    address: `https://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A module that adds the command `name`, which prints a word of its package. */
const commandModule = (name: string, word: string) => `
  export default { name: ${JSON.stringify(name)}, entryPoints: { "karotte.cli": { ${name}: {
    description: "Prints a word.",
    main: (args, context) => context.printLine([${word}, ...args].join(" ")),
  } } } };`;

binaryTest("plugins from a file, npm and JSR are installed and run", async (binary) => {
  await using registry = await startRegistry(verdaccio ?? "");
  await registry.publish({
    name: "word-of-npm",
    version: "1.2.0",
    files: { "index.js": "module.exports = { word: require('fs').existsSync('/') && 'npm' };" },
  });
  await registry.publish({
    name: "karotte-npm",
    version: "1.0.0",
    manifest: { type: "module", dependencies: { "word-of-npm": "^1" } },
    files: {
      "index.js": `import common from "word-of-npm"; ${commandModule("onnpm", "common.word")}`,
    },
  });
  await registry.publish({
    name: "@jsr/acme__karotte-jsr",
    version: "2.0.0",
    manifest: { type: "module" },
    files: { "index.js": commandModule("onjsr", '"jsr"') },
  });
  await using machine = await bareMachine(binary);
  const write = (name: string, text: string) => Deno.writeTextFile(join(machine.path, name), text);
  await write("word.ts", "export const word: string = 'file';");
  await write("own.ts", `import { word } from "./word.ts"; ${commandModule("onfile", "word")}`);
  const plugins = ["./own.ts", "npm:karotte-npm@^1", "jsr:@acme/karotte-jsr@2"];
  await write("karotte.plugins.json", JSON.stringify({ plugins }));
  {
    await using front = await behindTls(registry);
    await write(
      "home/.npmrc",
      `registry=${front.address}\n@jsr:registry=${front.address}\ncafile=${
        fromFileUrl(new URL("ca.pem", TLS))
      }\n`,
    );
    const trusted = await machine.karotte(["trust"]);
    assertEquals(trusted.code, 0, trusted.stderr);
    const listed = await machine.karotte(["plugins", "check"]);
    assertEquals(listed.code, 0, listed.stderr);
  }
  // The registry is gone: all is in the cache.
  for (const [command, word] of [["onfile", "file"], ["onnpm", "npm"], ["onjsr", "jsr"]]) {
    const said = await machine.karotte([command!, "--help"]);
    assertEquals(said, { code: 0, stdout: `${word} --help\n`, stderr: "" });
  }
}, { ignore: verdaccio === undefined });
