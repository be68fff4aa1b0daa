import { fromFileUrl } from "@std/path";
import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import type { Guard } from "../../src/protocol/guards.ts";
import { transcriptSchema } from "../../src/schemas/transcript.ts";
import { karotte } from "../cli/karotte.ts";
import type { WireServer } from "../models/wire/server.ts";
import { gullibleJudge } from "./judge_model.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { CONTROLS, TRICKS } from "./tricks.ts";
import { type GroupedTrick, messagesOf, type Trick } from "./trick.ts";

const FIXTURE = fromFileUrl(new URL("../fixtures/tricks/", import.meta.url));

/** Seconds until a trick that hangs is ended: far beyond every limit of its environment. */
const OVERDUE_SECONDS = 180;
/** Room for one bomb beside the harness. */
const SANDBOX_MEMORY_BYTES = 2 * 1024 ** 3;

/** Where the variables of `hidden_tests` and the python variants lead into the student's folder. */
const STUDENTS_PLACES = [
  "PERL5LIB=/workdir/lib",
  "PYTHONPATH=/workdir/lib",
  "TMPDIR=/workdir/tmp",
  "HOME=/workdir/home",
];

/** A runtime as tricks are played on it. */
export interface TrickRuntime {
  readonly name: string;
  /** For the host's process. */
  readonly variables: Readonly<Record<string, string>>;
  /** The image that its own is made from, where it needs one. */
  readonly baseImage?: string;
  /** Removes the images that were made of an environment. */
  removeImages?(path: string): Promise<void>;
}

/** One environment with all tricks, and the models and ports that they need. */
export class TrickRange implements AsyncDisposable {
  readonly runtime: TrickRuntime;
  readonly path: string;
  readonly #judge: WireServer = gullibleJudge();
  readonly #folder: AsyncDisposable;
  #runs = 0;

  private constructor(runtime: TrickRuntime, folder: AsyncDisposable & { path: string }) {
    this.runtime = runtime;
    this.path = `${folder.path}/range`;
    this.#folder = folder;
  }

  static async create(runtime: TrickRuntime): Promise<TrickRange> {
    const range = new TrickRange(runtime, await tempDir("karotte-tricks-"));
    const { code } = await run(["cp", "-r", FIXTURE, range.path]);
    if (code !== 0) throw new Error(`cannot copy ${FIXTURE}`);
    if (runtime.baseImage !== undefined) {
      await Deno.writeTextFile(`${range.path}/Containerfile`, containerfile(runtime.baseImage));
    }
    const scripts = [...CONTROLS, ...TRICKS, LOOK].map((trick) => [
      trick.name,
      messagesOf(trick.script),
    ]);
    const file = `${range.path}/src/environment/scripts.json`;
    await Deno.writeTextFile(file, JSON.stringify(Object.fromEntries(scripts)));
    return range;
  }

  /** Plays a trick, without some of the guards. */
  async play(trick: GroupedTrick, without: readonly Guard[] = []): Promise<Outcome> {
    return outcomeOf(trick, await this.#run(trick, without));
  }

  /** The programs that tricks need and that are not in the sandbox. */
  async missingPrograms(): Promise<ReadonlySet<string>> {
    const { events, stderr } = await this.#run(LOOK, []);
    const shown = events.find(({ type }) => type === "tool_call_completed");
    if (shown?.type !== "tool_call_completed") throw new Error(`no look was taken: ${stderr}`);
    return new Set(
      String(shown.result.structuredContent?.stdout ?? "").split("\n").filter(Boolean),
    );
  }

  async #run(trick: Trick, without: readonly Guard[]) {
    const id = `${trick.name}-${this.#runs++}`;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), OVERDUE_SECONDS * 1000);
    const start = performance.now();
    try {
      const said = await karotte(this.#arguments(trick, id), {
        cwd: this.path,
        env: {
          ...this.runtime.variables,
          ANTHROPIC_API_KEY: "sk-test-0123456789abcdef",
          KAROTTE_SANDBOX_MEMORY_BYTES: String(SANDBOX_MEMORY_BYTES),
          ...(without.length === 0 ? {} : { KAROTTE_TEST_WITHOUT: without.join(",") }),
        },
        onStart: (pid) => timeout.signal.addEventListener("abort", () => Deno.kill(pid, "SIGTERM")),
      });
      const seconds = (performance.now() - start) / 1000;
      const { aborted: isOverdue } = timeout.signal;
      return { ...said, events: await this.#events(id), seconds, isOverdue };
    } finally {
      clearTimeout(timer);
    }
  }

  #arguments({ name, variant }: Trick, id: string): string[] {
    const config = {
      run_id: id,
      task_id: variant,
      model: "fake/scripted",
      use_fake_model: true,
      extra_config: { trick: name },
      ...(variant === "rubric" ? { rubric_judge_model: "anthropic/claude-opus-5" } : {}),
    };
    const isTested = variant.endsWith("_tests") || variant === "python_here";
    const given = [
      `TRICK_PORT=${new URL(this.#judge.url).port}`,
      ...(isTested ? STUDENTS_PLACES : []),
    ];
    return [
      ...["run", "--config", JSON.stringify(config), "--runtime", this.runtime.name],
      ...["--proxy", this.#judge.url],
      ...given.flatMap((variable) => ["--env", variable]),
    ];
  }

  async #events(id: string) {
    try {
      const text = await Deno.readTextFile(`${this.path}/out/${id}.json`);
      return transcriptSchema.parse(JSON.parse(text)).events;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }

  async [Symbol.asyncDispose]() {
    await this.#judge[Symbol.asyncDispose]();
    await this.runtime.removeImages?.(this.path);
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** An image whose variables lead into the student's folder, in front of all others. */
function containerfile(baseImage: string): string {
  return `FROM ${baseImage}
ENV PERL5LIB=/workdir/image_lib BASH_ENV=/workdir/bash_env
ENV PATH=/workdir/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
`;
}

const NEEDED = [...new Set(TRICKS.flatMap(({ needs = [] }) => needs))];

const LOOK: Trick = {
  name: "look-for-programs",
  variant: "walls",
  guard: "none",
  script: [`for p in ${NEEDED.join(" ")}; do command -v $p >/dev/null || echo $p; done`],
};
