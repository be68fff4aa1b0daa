import { assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { tempDir } from "../base/temp_dir.ts";
import { findCredentials, textHoldsSecret } from "./credentials.ts";

Deno.test("credentials in a home are found by place and by content", async () => {
  await using home = await tempDir();
  const write = async (path: string, text: string) => {
    await Deno.mkdir(dirname(`${home.path}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${home.path}/${path}`, text);
  };
  await write(".netrc", "machine example.com\n");
  await write(".aws/credentials", "");
  await write(".ssh/id_ed25519", "key");
  await write(".ssh/id_ed25519.pub", "key");
  await write(".ssh/known_hosts", "host");
  await write(".config/gcloud/legacy_credentials/me/adc.json", "{}");
  await write(".npmrc", "registry=https://r.example\n//r.example/:_authToken=abc\n");
  await write(".pypirc", "[pypi]\n# password = x\npassword =\n");
  await write("elsewhere/hosts.yml", "token");
  await Deno.mkdir(`${home.path}/.config/gh`);
  await Deno.symlink("../../elsewhere/hosts.yml", `${home.path}/.config/gh/hosts.yml`);
  await Deno.symlink("gone", `${home.path}/.git-credentials`);
  const found = await findCredentials([home.path]);
  assertEquals(found.map((path) => path.slice(home.path.length + 1)), [
    ".config/gcloud/legacy_credentials/me/adc.json",
    ".config/gh/hosts.yml",
    ".netrc",
    ".npmrc",
    ".ssh/id_ed25519",
  ]);
});

Deno.test("settings hold a secret where a key has a value of its own", () => {
  const secrets = [
    "//registry.npmjs.org/:_authToken=npm_abc",
    "password: hunter2",
    '{"auths":{"r":{"auth":"dXNlcjpwYXNz"}}}',
    "index-url = https://user:pass@pypi.example/simple",
    '{ "identitytoken" : "abc" }',
  ];
  for (const text of secrets) assertEquals([text, textHoldsSecret(text)], [text, true]);
  const none = [
    "",
    "//registry.npmjs.org/:_authToken=$NPM_TOKEN",
    "# password = x",
    "; api_key = x",
    "password =",
    'password = ""',
    '{"auths":{"r":{}}}',
    "index-url = https://pypi.example/simple",
    "https://$USER:$PASS@pypi.example",
    "always-auth=",
  ];
  for (const text of none) assertEquals([text, textHoldsSecret(text)], [text, false]);
});
