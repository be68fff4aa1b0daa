import { resolve } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { reportLine } from "../base/log.ts";
import { chooseImages } from "../host/choose_runtime.ts";
import { provideImage } from "../host/image/provide_image.ts";
import { namesOfRuntimes } from "../runtimes/runtimes.ts";
import { defineCommand } from "./command.ts";
import { describedEnvironment } from "./described_environment.ts";
import { onInterrupt } from "./interrupt.ts";
import { pluginFlags } from "./plugin_flags.ts";

const description = `
Builds the environment's image: its Containerfile, or the image that deno.json names
("karotte": { "image": "debian:bookworm" }), and on top of it Karotte's own layer with the program,
the tasks, the data directories and the student's account. The last step checks the result.

  karotte build
  karotte build --runtime podman --tag my_team/my_env:3

The image is tagged karotte/<environment>:<12 hex digits of its content>; an environment that has not
changed is not built again. karotte run builds by itself what is missing. Exit status: 1 if a step
fails, 3 if the engine is missing or broken.`;

export const command = defineCommand({
  description,
  flags: {
    runtime: {
      type: "string",
      value: "NAME",
      help: `The engine: ${namesOfRuntimes(({ images }) => images !== undefined)}.`,
    },
    tag: { type: "string", value: "TAG", help: "One more name for the image." },
    buildSecret: {
      type: "string",
      value: "NAME=PATH",
      repeatable: true,
      help: "A file for RUN --mount=type=secret,id=NAME.",
    },
    cacheFrom: {
      type: "string",
      value: "IMAGE",
      repeatable: true,
      help: "Where the engine finds layers that were built elsewhere.",
    },
    cacheTo: {
      type: "string",
      value: "IMAGE",
      repeatable: true,
      help: "Where the engine keeps layers for others.",
    },
    ...pluginFlags,
  },
  async run({ flags }, context) {
    const build = {
      secrets: flags.buildSecret.map(secretOption),
      cacheFrom: flags.cacheFrom.map((value) => checked("--cache-from", value)),
      cacheTo: flags.cacheTo.map((value) => checked("--cache-to", value)),
    };
    const tag = flags.tag === undefined ? undefined : checked("--tag", flags.tag);
    using interrupt = onInterrupt();
    const { signal } = interrupt;
    const environment = await describedEnvironment(context, { flags, asks: true, signal });
    const images = await chooseImages(flags.runtime);
    const image = await provideImage({
      environment,
      images,
      build,
      rebuild: true,
      verbose: true,
      signal,
      ...(tag === undefined ? {} : { tag }),
    });
    reportLine(`image: ${tag ?? image.tag}`);
    reportLine(`id: ${image.id}`);
    if (image.logPath === undefined) reportLine("unchanged");
    else reportLine(`log: ${image.logPath}`);
  },
});

function checked(flag: string, value: string): string {
  if (value !== "" && !value.startsWith("-")) return value;
  throw new KarotteError("usage", `Cannot use ${flag} "${value}": it would be taken for an option`);
}

/** Writes the option as the comma-separated values that builders read. */
function secretOption(spec: string): string {
  const [, name, path] = /^([\w.-]+)=(.+)$/s.exec(spec) ?? [];
  if (name === undefined || path === undefined || /[,"\n]/.test(path)) {
    throw new KarotteError("usage", `Cannot use --build-secret "${spec}": expected NAME=PATH`, {
      hint: "NAME has letters, digits, _ . and -; PATH has no comma, quote or line break",
    });
  }
  return `id=${name},src=${resolve(path)}`;
}
