import type { Provider } from "../provider.ts";

/** Known by name only: it is refused wherever a model is asked for. */
export const vertexAi: Provider = {
  prefix: "vertex_ai",
  displayName: "Vertex AI",
  keyVariable: null,
  baseUrl: "",
  open: () => Promise.reject(new Error("Vertex AI is not supported")),
};
