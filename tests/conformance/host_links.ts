import { tempDir } from "../../src/base/temp_dir.ts";
import { ChannelLink } from "../../src/harness/channel_link.ts";
import { ArtifactStore } from "../../src/records/artifact_store.ts";
import { Conversation } from "../../src/host/models/conversation.ts";
import { LocalHost } from "../../src/host/run/local_host.ts";
import {
  type JudgeSource,
  RunAnswers,
  type StudentSource,
} from "../../src/host/models/run_answers.ts";
import { claimOutputFiles } from "../../src/records/output_files.ts";
import { Recorder } from "../../src/records/recorder.ts";
import { Redactor } from "../../src/records/redactor.ts";
import { runSession } from "../../src/host/run/session.ts";
import type { ArtifactLimits } from "../../src/protocol/artifact_limits.ts";
import type { HostLink } from "../../src/protocol/host_link.ts";
import { type EvaluationRunConfig, runConfigSchema } from "../../src/schemas/run_config.ts";
import { fakeSandbox } from "../support/fake_sandbox.ts";

export interface LinkOptions {
  readonly student?: StudentSource["nextTurn"];
  readonly judge?: JudgeSource["answer"];
  readonly turnLimit?: number;
  readonly artifactLimits?: ArtifactLimits;
}

/** One run's way to a host, and where that leaves things. */
export interface LinkLab {
  readonly link: HostLink;
  /** What is on disk of the events file. */
  events(): Promise<string>;
  /** The names of kept artifact files, with their sizes. */
  artifacts(): Promise<Record<string, number>>;
}

/** An implementation of `HostLink`: gives a link to a body and ends the run in order after it. */
export interface LinkSubject {
  readonly name: string;
  use(options: LinkOptions, body: (lab: LinkLab) => Promise<void>): Promise<void>;
}

export const LINK_SUBJECTS: readonly LinkSubject[] = [
  { name: "over the channel", use: (options, body) => host(options, body, overChannel) },
  { name: "in one process", use: (options, body) => host(options, body, inProcess) },
];

const config: EvaluationRunConfig = runConfigSchema.parse({
  run_id: "r1",
  task_id: "t",
  model: "m",
});

interface Parts {
  readonly recorder: Recorder;
  readonly artifacts: ArtifactStore;
  readonly answers: RunAnswers;
}

type Connect = (parts: Parts, body: (link: HostLink) => Promise<void>) => Promise<void>;

async function host(
  options: LinkOptions,
  body: (lab: LinkLab) => Promise<void>,
  connect: Connect,
): Promise<void> {
  await using dir = await tempDir();
  const files = await claimOutputFiles(config, { directory: dir.path, name: "r1" });
  const conversation = new Conversation();
  const redactor = new Redactor(["sk-secret"]);
  using recorder = new Recorder("r1", files, {
    redactor,
    onEvent: (event) => conversation.add(event),
  });
  const absent = () => Promise.reject(new Error("there is no model in this test"));
  const answers = new RunAnswers(conversation, {
    student: { nextTurn: options.student ?? absent },
    judge: { answer: options.judge ?? absent },
    turnLimit: options.turnLimit ?? null,
    redactor,
  });
  const artifacts = new ArtifactStore(dir.path, "r1", {
    ...(options.artifactLimits === undefined ? {} : { limits: options.artifactLimits }),
  });
  await connect({ recorder, artifacts, answers }, (link) =>
    body({
      link,
      events: () => Deno.readTextFile(files.eventsPath),
      artifacts: async () => sizesBelow(await artifacts.folder),
    }));
}

async function inProcess({ recorder, artifacts, answers }: Parts, body: Parameters<Connect>[1]) {
  const link = new LocalHost({ record: (event) => recorder.record(event), artifacts, answers });
  await body(link);
  await link.finish();
}

async function overChannel({ recorder, artifacts, answers }: Parts, body: Parameters<Connect>[1]) {
  const { sandbox, far } = fakeSandbox();
  const session = runSession({
    sandbox,
    start: { config, variables: {}, withheld: [], reasoning_effort: null },
    record: (event) => recorder.record(event),
    artifacts,
    answers,
    scoringLimitSeconds: 600,
    signal: new AbortController().signal,
  });
  await far.started;
  const link = new ChannelLink(far.peer);
  await body(link);
  await link.finish();
  far.exit({ code: 0, exhausted: false });
  await session;
  await far.peer.close();
}

function sizesBelow(folder: string | undefined, prefix = ""): Record<string, number> {
  if (folder === undefined) return {};
  return Object.assign(
    {},
    ...[...Deno.readDirSync(folder)].map(({ name, isDirectory }) =>
      isDirectory
        ? sizesBelow(`${folder}/${name}`, `${prefix}${name}/`)
        : { [prefix + name]: Deno.statSync(`${folder}/${name}`).size }
    ),
  );
}
