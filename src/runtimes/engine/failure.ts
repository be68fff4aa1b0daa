import { KarotteError } from "../../base/errors.ts";
import type { Engine } from "./record.ts";

/** What engines say -> what that means, and what to do. The first that fits. */
const CAUSES: readonly (readonly [said: RegExp, state: string, hint: string])[] = [
  [
    /permission denied.*(connect|dial|socket)|(connect|dial|socket).*permission denied/is,
    "you may not use its daemon",
    "Add yourself to the group of its socket (docker: `sudo usermod -aG docker $USER`, then log in again), or use podman.",
  ],
  [
    /cannot connect to the docker daemon|error during connect|unable to connect to podman|cannot connect to podman|cannot access containerd socket|connection refused|no such host|it does not answer|i\/o timeout/i,
    "its daemon does not answer",
    "Start it (for example `sudo systemctl start docker`, `podman machine start`), or correct DOCKER_HOST, CONTAINER_HOST or the context.",
  ],
  [
    /no such image|image not known|unable to find image|manifest unknown|repository does not exist|not found in local storage|image .*not found/i,
    "the image is not there",
    "Build it again with `karotte build`; it may have been removed since.",
  ],
  [
    /no space left on device|disk quota exceeded/i,
    "its disk is full",
    "Make room, for example with `docker system prune` or `podman system prune`.",
  ],
  [
    /predefined address pools|no available .*network|could not find an available|free subnet/i,
    "it has no network addresses left",
    "Remove networks that nothing uses (`docker network prune`), or widen `default-address-pools` in its daemon.json.",
  ],
  [
    /network.* already (exists|used)/i,
    "a network of that name is there",
    "Remove what is left of an earlier run with `karotte clean --all`, or choose another run id.",
  ],
  [
    /unknown (shorthand )?flag|unknown option|flag provided but not defined|invalid argument .* for ".*" flag/i,
    "it does not take one of the options",
    "Look at what the plugins of container_run_args add, or use a newer version of the engine.",
  ],
  [
    /bind source path does not exist|error mounting|statfs .*no such file|invalid mount/i,
    "a mount can't be made",
    "A path of --mount is one of the machine on which the daemon runs.",
  ],
  [
    /exec format error/i,
    "the image is for another platform",
    "Build it for the platform of the daemon with `karotte build`.",
  ],
  [
    /unknown or invalid runtime|unknown runtime|invalid runtime name/i,
    "its low-level runtime is not registered",
    "Register it with the daemon, or choose another --runtime.",
  ],
  [
    /(openat2|exec:? ).*(no such file|not found)|executable file not found/i,
    "the program to start is not in the image",
    "Build the image again with `karotte build`.",
  ],
];

/** The error for something that an engine did not do; `said` is what it wrote to stderr. */
export function explainFailure(engine: Engine, what: string, said: string): KarotteError {
  const line = lastWords(said);
  const [, state, hint] = CAUSES.find(([pattern]) => pattern.test(said)) ?? [];
  const parts = [state, line].filter((part) => part !== undefined && part !== "");
  const found = parts.length === 0 ? "it failed without a word" : parts.join(": ");
  return new KarotteError("runtime", `Cannot ${what} with ${engine.name}: ${found}`, {
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The last line that says something, without the client's framing. */
export function lastWords(said: string): string {
  const lines = said.split("\n").map((line) => line.trim()).filter((line) =>
    line !== "" && !/^(See|Run) '.*help'|^Try '|^errors pretty printing|^Usage:/.test(line)
  );
  return (lines.at(-1) ?? "").replace(
    /^(docker: |Error: |level=\w+ msg=|time=\S+ )*(Error response from daemon: )?/i,
    "",
  ).slice(0, 1000);
}
