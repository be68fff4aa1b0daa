import { KarotteError } from "../../base/errors.ts";
import type { Provider } from "../provider.ts";

/** Known of old, but not called: its keys are no texts. */
export const vertexAi: Provider = {
  prefix: "vertex_ai",
  displayName: "Vertex AI",
  keyVariable: null,
  baseUrl: "",
  open({ name }) {
    const message = `Cannot use model "vertex_ai/${name}": Vertex AI is not supported`;
    const hint = "Gemini models are called as gemini/...; others behind --proxy by another prefix";
    return Promise.reject(new KarotteError("usage", message, { hint }));
  },
};
