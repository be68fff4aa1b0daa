import { ifThere } from "../../base/files.ts";
import { STUDENT } from "../../protocol/layout.ts";
import { HOSTNAME } from "../confinement.ts";

const FILES: Readonly<Record<string, string>> = {
  passwd: [
    "root:*:0:0:root:/root:/bin/bash",
    `${STUDENT.name}:*:${STUDENT.uid}:${STUDENT.gid}::${STUDENT.home}:/bin/bash`,
    "nobody:*:65534:65534:nobody:/nonexistent:/usr/sbin/nologin",
    "",
  ].join("\n"),
  group: ["root:*:0:", "tty:*:5:", `${STUDENT.name}:*:${STUDENT.gid}:`, "nogroup:*:65534:", ""]
    .join("\n"),
  hosts: `127.0.0.1 localhost ${HOSTNAME}\n::1 localhost\n`,
  hostname: `${HOSTNAME}\n`,
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n",
};

/**
 * What programs under /usr need from the host's /etc: links of alternatives, the dynamic linker's
 * paths and cache, the time zone, and names of ports. None of it is about the machine's users.
 */
const FROM_HOST = [
  "alternatives",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "protocols",
  "services",
];

/**
 * Fills `folder`, which becomes the sandbox's /etc, and returns the names in it over which the
 * host's own are to be bound.
 */
export async function writeEtc(folder: string): Promise<string[]> {
  for (const [name, text] of Object.entries(FILES)) {
    await Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o644 });
  }
  const bound: string[] = [];
  for (const name of FROM_HOST) {
    const info = await ifThere(Deno.lstat(`/etc/${name}`));
    if (info === undefined) continue;
    if (info.isSymlink) {
      await Deno.symlink(await Deno.readLink(`/etc/${name}`), `${folder}/${name}`);
      continue;
    }
    if (info.isDirectory) await Deno.mkdir(`${folder}/${name}`, { mode: 0o755 });
    else await Deno.writeTextFile(`${folder}/${name}`, "", { mode: 0o644 });
    bound.push(name);
  }
  return bound;
}
