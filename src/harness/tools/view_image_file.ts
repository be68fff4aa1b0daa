import { z } from "zod";
import { defineTool, type Tool } from "../../sdk/tool.ts";
import type { StudentFiles } from "../student/student_files.ts";
import { readWholeImage } from "./whole_image.ts";

const CONFIG = z.strictObject({
  /** Pixels, of width and of height. */
  max_img_dim: z.int().positive().default(2000),
  max_file_bytes: z.int().positive().default(5 * 1024 * 1024),
});

const INPUT = z.object({
  file_path: z.string().describe("Absolute path of a PNG, JPEG, GIF or WebP file."),
});

/** The `view_image_file` tool: passes the bytes on as they are, read with the student's rights. */
export function createViewImageTool(files: StudentFiles): Tool {
  return defineTool({
    description: "Shows an image file (PNG, JPEG, GIF or WebP), at most 5 MiB and 2000 pixels " +
      "wide and high unless the task says otherwise.",
    input: INPUT,
    config: CONFIG,
    async run({ file_path }, { config }) {
      const path = JSON.stringify(file_path);
      const { bytes, size } = await files.read(file_path, {
        offset: 0,
        maxBytes: config.max_file_bytes + 1,
      });
      if (bytes.length > config.max_file_bytes) {
        throw new Error(`${path} has ${size} bytes: an image may have ${config.max_file_bytes}`);
      }
      const header = readWholeImage(bytes);
      if (header === undefined) {
        throw new Error(`${path} is not a whole PNG, JPEG, GIF or WebP image`);
      }
      const { mimeType, width, height } = header;
      if (Math.max(width, height) > config.max_img_dim) {
        throw new Error(
          `${path} has ${width} x ${height} pixels: at most ${config.max_img_dim} each way`,
        );
      }
      return { image: bytes, mimeType };
    },
  });
}
