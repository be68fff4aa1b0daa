import { z } from "zod";
import { KarotteError, messageOf } from "../base/errors.ts";

/** Lower-case letters, digits and inner hyphens. */
const TEMPLATE_ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Describes the template and is not part of what it makes. */
const DESCRIPTION_FILE = "template.json";

const descriptionSchema = z.strictObject({
  /** One line for `karotte templates list`. */
  description: z.string().min(1),
  /** Ids of templates that must come before this one. */
  requires: z.array(z.string()).default([]),
  /** Paths that an update leaves out once the author removed them; a folder covers its content. */
  do_not_recreate_if_deleted: z.array(z.string()).default([]),
});

export type TemplateDescription = z.infer<typeof descriptionSchema>;

/** The text of each file by its path in the template's folder, `/` between its parts. */
export type TemplateFiles = Readonly<Record<string, string>>;

/** A template that can be stacked into an environment. */
export interface Template extends TemplateDescription {
  readonly id: string;
  readonly files: TemplateFiles;
  /** Its package as `npm:NAME@VERSION` or `jsr:@SCOPE/NAME@VERSION`; absent: not of a package. */
  readonly requirement?: string;
}

/** Throws a `KarotteError` if the id or `template.json` is not as it should be. */
export function parseTemplate(id: string, files: TemplateFiles): Template {
  const action = `Cannot read template "${id}"`;
  if (!TEMPLATE_ID.test(id)) {
    throw new KarotteError(
      "usage",
      `${action}: its id has other signs than a-z, 0-9 and inner "-"`,
    );
  }
  const { [DESCRIPTION_FILE]: description, ...others } = files;
  if (description === undefined) {
    throw new KarotteError("usage", `${action}: it has no ${DESCRIPTION_FILE}`);
  }
  try {
    return { id, files: others, ...descriptionSchema.parse(JSON.parse(description)) };
  } catch (error) {
    const state = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new KarotteError("usage", `${action}: ${DESCRIPTION_FILE}: ${state}`, { cause: error });
  }
}
