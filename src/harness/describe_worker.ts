/** The Worker in which the compiled program imports a bundle; its name is the bundle's folder. */
import { answerOf, describeBundle, type DescribingOptions } from "./describe.ts";

/** The part of a Worker's global scope that is used; Deno's types are those of the main thread. */
interface WorkerScope {
  readonly name: string;
  postMessage(json: string): void;
  onmessage: ((event: { readonly data: DescribingOptions }) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;
// The environment's code may put another one there.
const post = scope.postMessage.bind(scope);

scope.onmessage = async ({ data }) => {
  scope.onmessage = null;
  post(JSON.stringify(await answerOf(describeBundle(scope.name, data))));
};
