import config from "../../deno.json" with { type: "json" };

/** The version of this program: `deno.json` has it once. */
export const VERSION: string = config.version;
