import {
  CACHE_DIRECTORY,
  DATA_DIRECTORIES,
  IMAGE_VARIABLES,
  PRIVATE_DIRECTORY,
  PROGRAM_DIRECTORY,
  STUDENT,
  WORK_DIRECTORY,
} from "../../protocol/layout.ts";
import type { ImageStore } from "../../runtimes/image_store.ts";

/** The label that says of an image that it is ours, and what was put into it. */
export const CONTENT_LABEL = "karotte.content";
/** The label that says the same, and which Containerfile it started from. */
export const RECIPE_LABEL = "karotte.recipe";
/** The labels for what it was made from besides its bundle and its program, for `changedParts`. */
export const SOURCE_LABEL = "karotte.source";
export const DATA_LABEL = "karotte.data";

/** The lines that the check of the base image prints before it ends the build. */
export const NO_BASH = "karotte: there is no /bin/bash in the image";
export const NO_GLIBC = "karotte: there is no glibc in the image";

/** The check of the base image: it uses nothing but what a shell has built in. */
const CHECK_BASE = `[ -x /bin/bash ] || { echo '${NO_BASH}'; exit 1; }; ` +
  "for file in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do " +
  `if [ -e "$file" ]; then exit 0; fi; done; echo '${NO_GLIBC}'; exit 1`;

const ENVIRONMENT: Readonly<Record<string, string>> = {
  KAROTTE_CONTAINERIZED: "1",
  KAROTTE_DEMOTE_ID: String(STUDENT.uid),
  KAROTTE_WORKDIR: WORK_DIRECTORY,
  // Filled by the check of the image, which loads what every run loads.
  DENO_DIR: CACHE_DIRECTORY,
  DENO_NO_UPDATE_CHECK: "1",
  NO_COLOR: "1",
};

/** The text of Karotte's own layer, but for what never changes. */
export interface LayerOptions {
  /** Id of the image to start from. */
  readonly base: string;
  /** The argv of the program in the image, without a command. */
  readonly program: readonly string[];
  /** The argv that an image starts with, from that of the program with its command. */
  readonly entrypoint: ImageStore["entrypoint"];
  readonly labels: Readonly<Record<string, string>>;
  /** False: the builder makes images without health checks, and complains of a word about them. */
  readonly healthchecks: boolean;
}

/**
 * Writes the Containerfile of Karotte's own layer. Its context has `bin/`, `private/` and `data/`,
 * laid out as in the sandbox, and `variables.json`. What changes most comes last.
 */
export function layerContainerfile(options: LayerOptions): string {
  const { base, program, entrypoint, labels, healthchecks } = options;
  const data = DATA_DIRECTORIES.map(({ target, access }) => {
    const owner = access === "student" ? `${STUDENT.uid}:${STUDENT.gid}` : "0:0";
    return `COPY --chown=${owner} data${target}/ ${target}/`;
  });
  return [
    `FROM ${base}`,
    "USER 0:0",
    `RUN ${json(["/bin/sh", "-c", CHECK_BASE])}`,
    `ENV ${pairs(ENVIRONMENT)}`,
    `COPY --chown=0:0 bin/ ${PROGRAM_DIRECTORY}/`,
    ...data,
    `COPY --chown=0:0 variables.json ${IMAGE_VARIABLES}`,
    `COPY --chown=0:0 private/ ${PRIVATE_DIRECTORY}/`,
    `RUN ${json([...program, "prepare"])}`,
    `RUN ${json([...program, "check-image"])}`,
    `WORKDIR ${WORK_DIRECTORY}`,
    ...(healthchecks ? ["HEALTHCHECK NONE"] : []),
    `ENTRYPOINT ${json(entrypoint([...program, "harness"]))}`,
    "CMD []",
    `LABEL ${pairs(labels)}`,
    "",
  ].join("\n");
}

function json(argv: readonly string[]): string {
  return JSON.stringify(argv);
}

/** Writes variables or labels; the values are ours: letters, digits, `/` and `.`. */
function pairs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values).map(([name, value]) => `${name}="${value}"`).join(" ");
}
