/** The shortest beginnings of images that tell type and size; for tests. */
export function sampleImages(width: number, height: number) {
  const low = (value: number, bytes: number) =>
    Array.from({ length: bytes }, (_, index) => (value >>> (8 * index)) & 0xff);
  const high = (value: number, bytes: number) => low(value, bytes).reverse();
  const lossless = ((width - 1) & 0x3fff) + ((height - 1) & 0x3fff) * 0x4000;
  return {
    png: image(
      "image/png",
      "\x89PNG\r\n\x1a\n",
      high(13, 4),
      "IHDR",
      high(width, 4),
      high(height, 4),
    ),
    gif: image("image/gif", "GIF89a", low(width, 2), low(height, 2)),
    jpeg: image(
      "image/jpeg",
      [0xff, 0xd8],
      // An application segment, a fill byte, then the frame header.
      [0xff, 0xe0, ...high(4, 2), 1, 2],
      [0xff, 0xff, 0xc2, ...high(11, 2), 8, ...high(height, 2), ...high(width, 2)],
    ),
    "webp lossy": image(
      "image/webp",
      "RIFF----WEBPVP8 ----",
      [0, 0, 0, 0x9d, 0x01, 0x2a, ...low(width, 2), ...low(height, 2)],
    ),
    "webp lossless": image("image/webp", "RIFF----WEBPVP8L----", [0x2f, ...low(lossless, 4)]),
    "webp extended": image(
      "image/webp",
      "RIFF----WEBPVP8X----",
      [0, 0, 0, 0, ...low(width - 1, 3), ...low(height - 1, 3)],
    ),
  } as const;
}

function image(mimeType: string, ...parts: (string | number[])[]) {
  const numbers = parts.flatMap((part) =>
    typeof part === "string" ? [...part].map((character) => character.charCodeAt(0)) : part
  );
  return { mimeType, bytes: new Uint8Array(numbers) };
}

/** The same with an end, and no pixel in between; for tests. */
export function wholeImages(width: number, height: number) {
  const { png, gif, jpeg, ...webp } = sampleImages(width, height);
  const checksum = [0, 0, 0, 0];
  const webps = Object.entries(webp).map(([name, { bytes }]) => {
    const whole = new Uint8Array(bytes);
    new DataView(whole.buffer).setUint32(4, whole.length - 8, true);
    return [name, { mimeType: "image/webp", bytes: whole }] as const;
  });
  return {
    png: image(
      "image/png",
      [...png.bytes, 8, 6, 0, 0, 0, ...checksum, 0, 0, 0, 0],
      "IEND",
      checksum,
    ),
    gif: image("image/gif", [...gif.bytes, 0x00, 0x3b]),
    jpeg: image("image/jpeg", [...jpeg.bytes, 0xff, 0xd9]),
    ...Object.fromEntries(webps),
  };
}
