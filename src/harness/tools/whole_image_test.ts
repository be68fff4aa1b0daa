import { assertEquals } from "@std/assert";
import { wholeImages } from "../../../tests/support/sample_images.ts";
import { readWholeImage } from "./whole_image.ts";

Deno.test("readWholeImage() takes an image that goes on to its end, and whatever follows it", () => {
  for (const [name, { bytes, mimeType }] of Object.entries(wholeImages(300, 200))) {
    const header = { mimeType, width: 300, height: 200 };
    assertEquals(readWholeImage(bytes), header, name);
    assertEquals(readWholeImage(new Uint8Array([...bytes, 1, 2, 3])), header, name);
  }
});

Deno.test("readWholeImage() refuses every image that was cut off", () => {
  for (const [name, { bytes }] of Object.entries(wholeImages(300, 200))) {
    for (let length = 0; length < bytes.length; length++) {
      const header = readWholeImage(bytes.subarray(0, length));
      assertEquals(header, undefined, `${name} of ${length} bytes`);
    }
  }
});
