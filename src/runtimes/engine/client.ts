/** How an engine is called, and which builder it has. */
export interface EngineClient {
  /** Names the engine for the user. */
  readonly name: string;
  /** The client's program and its global arguments. */
  readonly command: readonly string[];
  /** What `build` is: docker's own (classic, or BuildKit where its plugin is there), podman's, BuildKit. */
  readonly builder: "docker" | "buildah" | "buildkit";
}
