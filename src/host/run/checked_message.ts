import { prettifyError, type z } from "zod";
import { oneLine } from "../../base/one_line.ts";
import { ChannelError } from "../../base/rpc_peer.ts";

/**
 * Returns the params of a message, checked; `what` names it. Throws a `ChannelError` for those that
 * the harness of this program would never send.
 */
export function checkedMessage<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const problem = oneLine(prettifyError(parsed.error));
  throw new ChannelError(`The sandbox sent a malformed ${what}: ${problem}`);
}
