import { assertEquals } from "@std/assert";
import { readImageHeader } from "./image_header.ts";
import { sampleImages } from "../../../tests/support/sample_images.ts";

Deno.test("readImageHeader() knows type and size of each format", () => {
  for (const [name, { bytes, mimeType }] of Object.entries(sampleImages(300, 200))) {
    assertEquals(readImageHeader(bytes), { mimeType, width: 300, height: 200 }, name);
  }
});

Deno.test("readImageHeader() refuses every image that ends too early", () => {
  for (const [name, { bytes }] of Object.entries(sampleImages(300, 200))) {
    for (let length = 0; length < bytes.length; length++) {
      const header = readImageHeader(bytes.subarray(0, length));
      assertEquals(header, undefined, `${name} of ${length} bytes`);
    }
  }
});

Deno.test("readImageHeader() refuses what has no pixel or is no image", () => {
  for (const name of ["png", "gif", "jpeg", "webp lossy"] as const) {
    assertEquals(readImageHeader(sampleImages(0, 5)[name].bytes), undefined, name);
  }
  const others = ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "BM", "RIFF....WAVE", "text"];
  for (const text of others) {
    assertEquals(readImageHeader(new TextEncoder().encode(text)), undefined);
  }
  // Segments that lead nowhere: length 0, image data first, no marker.
  for (const rest of [[0xff, 0xe0, 0, 0], [0xff, 0xda, 0, 2], [1, 2, 3, 4]]) {
    assertEquals(readImageHeader(new Uint8Array([0xff, 0xd8, ...rest, 0, 0, 0, 0])), undefined);
  }
});
