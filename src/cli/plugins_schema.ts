import { printLine } from "../base/log.ts";
import { manifestSchema } from "../plugins/manifest_schema.ts";
import { defineCommand } from "./command.ts";

export const command = defineCommand({
  description: `
Prints the JSON Schema of karotte.plugins.json. Editors complete and check the file with it:

  karotte plugins schema > karotte.plugins.schema.json

and then "$schema": "./karotte.plugins.schema.json" in the file.`,
  run() {
    printLine(JSON.stringify(manifestSchema(), null, 2));
  },
});
