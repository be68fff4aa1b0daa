/** The Worker in which the compiled program imports a bundle; its name is the bundle's folder. */
import { answerOf, describeBundle } from "./describe.ts";

/** The part of a Worker's global scope that is used; Deno's types are those of the main thread. */
interface WorkerScope {
  readonly name: string;
  postMessage(json: string): void;
}

const scope = globalThis as unknown as WorkerScope;
// The environment's code may put another one there.
const post = scope.postMessage.bind(scope);

post(JSON.stringify(await answerOf(describeBundle(scope.name))));
