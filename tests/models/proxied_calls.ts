/** Calls each URL of the arguments through `modelFetch()` and prints a line of what came of it. */
import { messageOf } from "../../src/base/errors.ts";
import { printLine } from "../../src/base/log.ts";
import { modelFetch } from "../../src/models/model_fetch.ts";

using fetched = modelFetch();
for (const url of Deno.args) {
  try {
    printLine(await (await fetched(url, { method: "POST", body: "{}" })).text());
  } catch (error) {
    printLine(`failed: ${messageOf(error)}`);
  }
}
