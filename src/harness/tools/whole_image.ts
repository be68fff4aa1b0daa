import { type ImageHeader, readImageHeader } from "./image_header.ts";

/**
 * What an image says about itself, if it goes on to its end; nothing is decoded. `undefined` if it
 * is no PNG, JPEG, GIF or WebP, or was cut off: a model's provider refuses such an image, and with
 * it every later request of the conversation.
 */
export function readWholeImage(bytes: Uint8Array): ImageHeader | undefined {
  const header = readImageHeader(bytes);
  return header !== undefined && ENDS[header.mimeType](bytes) ? header : undefined;
}

/** Whether the end is there; what follows it does no harm. */
const ENDS: Readonly<Record<ImageHeader["mimeType"], (bytes: Uint8Array) => boolean>> = {
  "image/png": pngEnds,
  "image/jpeg": (bytes) => indexFromEnd(bytes, [0xff, 0xd9]) > 0,
  "image/gif": (bytes) => indexFromEnd(bytes, [0x00, 0x3b]) > 0,
  "image/webp": (bytes) => viewOf(bytes).getUint32(4, true) + 8 <= bytes.length,
};

/** Walks the chunks: length, name, content, checksum. */
function pngEnds(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  for (let at = 8; at + 12 <= bytes.length;) {
    const isLast = view.getUint32(at + 4) === 0x49454e44; // IEND
    at += 12 + view.getUint32(at);
    if (isLast) return at <= bytes.length;
  }
  return false;
}

function indexFromEnd(bytes: Uint8Array, [first, second]: readonly [number, number]): number {
  let at = bytes.length - 2;
  while (at > 0 && (bytes[at] !== first || bytes[at + 1] !== second)) at--;
  return at;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
