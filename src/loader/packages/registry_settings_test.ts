import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { tempDir } from "../../base/temp_dir.ts";
import { registrySettings } from "./registry_settings.ts";

async function settings(
  files: Readonly<Record<string, string>>,
  { isTrusted = true, variables = {} }: {
    isTrusted?: boolean;
    variables?: Readonly<Record<string, string>>;
  } = {},
) {
  await using folder = await tempDir();
  const directory = join(folder.path, "home", "project", "deep");
  await Deno.mkdir(directory, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder.path, path), text);
  }
  const all: Record<string, string> = { HOME: join(folder.path, "home"), ...variables };
  return await registrySettings({ directory, isTrusted, variable: (name) => all[name] });
}

Deno.test("registrySettings() reads the user's .npmrc and the project's, which wins", async () => {
  const { options } = await settings({
    "home/.npmrc": "registry = https://a.test/\n; a comment\n@acme:registry=https://acme.test/\n" +
      "//a.test/:_authToken=${TOKEN}\nscript-shell=/bin/evil\nstrict-ssl=false",
    "home/project/.npmrc": '\n# comment\nregistry="https://b.test/"\nca[]=one\\ntwo\nca[]=three\n',
  }, { variables: { TOKEN: "secret" } });
  assertEquals(options, {
    "@jsr:registry": "https://npm.jsr.io",
    registry: "https://b.test/",
    "@acme:registry": "https://acme.test/",
    "//a.test/:_authToken": "secret",
    strictSSL: false,
    ca: ["one\ntwo", "three"],
  });
});

Deno.test("registrySettings() lets a project take a setting of the user's back", async () => {
  const { options } = await settings({
    "home/.npmrc": "proxy=http://proxy.test/\nhttps-proxy=http://proxy.test/\nca=one",
    "home/project/.npmrc": "proxy=null\nca=null",
  });
  assertEquals(options, {
    "@jsr:registry": "https://npm.jsr.io",
    httpsProxy: "http://proxy.test/",
  });
});

Deno.test("registrySettings() lets variables name registries", async () => {
  const variables = {
    KAROTTE_JSR_NPM_REGISTRY: "https://mirror.test/",
    NPM_CONFIG_REGISTRY: "https://env.test/",
  };
  const { options } = await settings({ "home/.npmrc": "registry=https://a.test/" }, { variables });
  assertEquals(options, {
    "@jsr:registry": "https://mirror.test/",
    registry: "https://env.test/",
  });
  const npmrc = { "home/.npmrc": "@jsr:registry=https://jsr.test/" };
  const won = await settings(npmrc, { variables });
  assertEquals(won.options["@jsr:registry"], "https://jsr.test/");
});

Deno.test("registrySettings() takes nothing but registries from a stranger's .npmrc", async () => {
  const { options } = await settings({
    "home/.npmrc": "//a.test/:_authToken=mine",
    "home/project/.npmrc": "registry=https://b.test/\n//b.test/:_authToken=${SECRET}\n" +
      "@acme:registry=https://${SECRET}.test/\n@fine:registry=https://fine.test/\nproxy=http://p/",
  }, { isTrusted: false, variables: { SECRET: "key" } });
  assertEquals(options, {
    "@jsr:registry": "https://npm.jsr.io",
    "//a.test/:_authToken": "mine",
    registry: "https://b.test/",
    "@fine:registry": "https://fine.test/",
  });
});

Deno.test("registrySettings() hides all that is secret", async () => {
  const password = btoa("the password");
  const { redact } = await settings({
    "home/.npmrc": `//a.test/:_authToken=tok-en\n//b.test/:_auth=${btoa("user:word")}\n` +
      `//c.test/:username=me\n//c.test/:_password=${password}`,
  });
  const shown = redact(
    `tok-en ${btoa("user:word")} user:word ${password} the password https://u:p@d.test/x`,
  );
  assertEquals(shown, "*** *** *** *** *** https://***@d.test/x");
});

Deno.test("registrySettings() stops at the project's root", async () => {
  await using folder = await tempDir();
  const directory = join(folder.path, "a", "b");
  await Deno.mkdir(join(directory, ".git"), { recursive: true });
  await Deno.writeTextFile(join(folder.path, "a", ".npmrc"), "registry=https://a.test/");
  const { options } = await registrySettings({
    directory,
    isTrusted: true,
    variable: () => undefined,
  });
  assert(options.registry !== "https://a.test/");
});

Deno.test("registrySettings() lets a stranger name public registries only, and the user's own", async () => {
  const strange = (url: string, own = "") =>
    settings(
      { "home/.npmrc": own, "home/project/.npmrc": `@acme:registry=${url}\n` },
      { isTrusted: false },
    );
  for (
    const url of [
      "http://a.test/",
      "https://localhost/",
      "https://10.0.0.1/",
      "https://[::ffff:10.0.0.1]/",
      "https://npm/",
      "ftp://a.test/",
      "nonsense",
    ]
  ) {
    await assertRejects(() => strange(url), Error, "it is not public, over https");
    await strange(url, `@acme:registry=${url}`);
    await strange(url.replace(/\/$/, ""), `registry=${url}`);
  }
  const { agent } = await strange("https://a.test/", "registry=http://10.0.0.1:4873/");
  assertEquals(agent?.(new URL("http://10.0.0.1:4873/x")), undefined);
  assert(agent?.(new URL("http://10.0.0.1:80/x")) !== undefined);
  assertEquals((await strange("https://registry.npmjs.org")).agent, undefined);
});

Deno.test("registrySettings() refuses to send what is secret in plain text", async () => {
  const token = "_authToken=secret-token";
  for (const url of ["http://a.test/", "http://10.0.0.1:4873/x/"]) {
    const npmrc = `registry=${url}\n${url.slice("http:".length)}:${token}\n`;
    const error = await assertRejects(
      () => settings({ "home/.npmrc": npmrc }),
      Error,
      "plain text",
    );
    assert(!Deno.inspect(error).includes("secret-token"));
    await settings({ "home/.npmrc": npmrc.replace("http:", "https:") });
    await settings({ "home/.npmrc": `registry=${url}\n//other.test/:${token}\n` });
  }
  const inUrl = { "home/.npmrc": "registry=http://me:pass-word@a.test/" };
  const { message } = await assertRejects(() => settings(inUrl), Error);
  assert(!message.includes("pass-word"), message);
  await settings({ "home/.npmrc": `registry=http://127.0.0.1:1/\n//127.0.0.1:1/:${token}\n` });
});

Deno.test("registrySettings() takes exemptions from the age delay from the user only", async () => {
  const { ageDelayExemptions } = await settings({
    "home/.npmrc": "min-release-age-exclude[]=a\nmin-release-age-exclude[]=@b/c\n",
    "home/project/.npmrc": "min-release-age-exclude[]=d\n",
  });
  assertEquals(ageDelayExemptions, ["a", "@b/c"]);
});
