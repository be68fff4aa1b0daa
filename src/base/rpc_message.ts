/** A message of JSON-RPC: a request (id and method), an answer (id) or a notification (method). */
export interface RpcMessage {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message?: unknown };
}

/** Returns the message in a line, or the reason why it holds none. */
export function messageIn(line: Uint8Array): RpcMessage | string {
  let message: unknown;
  const text = new TextDecoder().decode(line);
  try {
    message = JSON.parse(text);
  } catch {
    return `A line on the channel is not JSON: "${shown(text)}"`;
  }
  const reason = `A line on the channel is not JSON-RPC: "${shown(text)}"`;
  if (typeof message !== "object" || message === null || !("jsonrpc" in message)) return reason;
  const { id, method, error } = message as Record<string, unknown>;
  const idFits = id === undefined || typeof id === "number" || typeof id === "string";
  const methodFits = method === undefined || typeof method === "string";
  const errorFits = error === undefined || (typeof error === "object" && error !== null);
  // The types of its members were just seen.
  return idFits && methodFits && errorFits ? message as RpcMessage : reason;
}

/** Makes text of the other side fit for an error message: short, without control characters. */
export function shown(text: string): string {
  return text.slice(0, 120).replace(/[\p{Cc}\p{Cf}]/gu, "?");
}
