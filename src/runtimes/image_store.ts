/** The images of one runtime: where they are found, made and got from. */
export interface ImageStore {
  /** Names it for the user; it is the runtime's name. */
  readonly name: string;
  /** Whether images have health checks, so that a build can say that there are none. */
  readonly healthchecks: boolean;
  /** Returns the entry point of an image that runs `argv` as a sandbox's program. */
  entrypoint(argv: readonly string[]): readonly string[];
  /**
   * Finds the images with a label of this value that are tagged in `repository`, newest first. A
   * label alone says nothing: any Containerfile can set it.
   */
  find(query: { readonly label: string; readonly repository: string }): Promise<TaggedImage[]>;
  /** Returns the facts of a local image; undefined: there is no such image. */
  inspect(reference: string): Promise<ImageFacts | undefined>;
  /** Returns what a build writes after `FROM` to start from a local image. */
  baseName(id: string): Promise<string>;
  /** Throws a usage error that names what can't be built with here. */
  checkBuild(wanted: Pick<BuildRequest, "secrets" | "cacheTo">): Promise<void>;
  /** Returns the id of the built image; undefined: a step failed, and the output says which. */
  build(request: BuildRequest, options?: BuildOptions): Promise<string | undefined>;
  /** Gives an image one more name. */
  tag(image: { readonly id: string; readonly tag: string }): Promise<void>;
  /** Gets an image from its registry. */
  pull(reference: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** An image as its store describes it. */
export interface ImageFacts {
  readonly id: string;
  /** `amd64`, `arm64` and so on. */
  readonly architecture: string;
  readonly os: string;
  readonly labels: Readonly<Record<string, string>>;
  /** What it sets with ENV, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Paths that are volumes in every container. */
  readonly volumes: readonly string[];
  /** The steps that a build which starts from it would do first. */
  readonly onBuild: readonly string[];
}

/** An image under one of its names. */
export interface TaggedImage {
  readonly id: string;
  /** `karotte/example:1a2b3c4d5e6f` */
  readonly reference: string;
}

/** One build of an image. */
export interface BuildRequest {
  /** Absolute path of the folder that the builder is sent. */
  readonly context: string;
  /** Absolute path of the Containerfile. */
  readonly file: string;
  readonly tags: readonly string[];
  /** False: no step of the build reaches a network. */
  readonly network: boolean;
  /** True: Karotte's own layer, which starts from an image by its `baseName`. */
  readonly own: boolean;
  /** `id=NAME,src=PATH` of files that steps may mount. */
  readonly secrets?: readonly string[];
  readonly cacheFrom?: readonly string[];
  readonly cacheTo?: readonly string[];
}

/** How a build is followed and interrupted. */
export interface BuildOptions {
  readonly signal?: AbortSignal;
  /**
   * Called with all that the build says, both streams as one: their order tells what led to what.
   */
  readonly onOutput?: (chunk: Uint8Array<ArrayBuffer>) => void;
}
