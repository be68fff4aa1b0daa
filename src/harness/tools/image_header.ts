/** What the first bytes of an image say about it. */
export interface ImageHeader {
  readonly mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Reads type and size of a PNG, JPEG, GIF or WebP image; nothing is decoded. `undefined` if it is
 * none of them, or ends before it has said its size, or has no pixel.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
    return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // What DataView throws beyond the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function png(view: DataView): ImageHeader | undefined {
  if (text(view, 0, 8) !== "\x89PNG\r\n\x1a\n" || text(view, 12, 4) !== "IHDR") return undefined;
  return { mimeType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageHeader | undefined {
  if (!["GIF87a", "GIF89a"].includes(text(view, 0, 6))) return undefined;
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  return { mimeType: "image/gif", width, height };
}

function webp(view: DataView): ImageHeader | undefined {
  if (text(view, 0, 4) !== "RIFF" || text(view, 8, 4) !== "WEBP") return undefined;
  const size = webpSize(view);
  return size && { mimeType: "image/webp", ...size };
}

/** Of the three forms: lossy, lossless, and extended. */
function webpSize(view: DataView): { width: number; height: number } | undefined {
  const form = text(view, 12, 4);
  if (form === "VP8 " && text(view, 23, 3) === "\x9d\x01\x2a") {
    return {
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
    };
  }
  if (form === "VP8L" && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (form === "VP8X") {
    const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65536;
    return { width: uint24(24) + 1, height: uint24(27) + 1 };
  }
  return undefined;
}

/** Walks the segments up to the frame header (SOF0 to SOF15, without DHT, JPG and DAC). */
function jpeg(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2;;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return { mimeType: "image/jpeg", width, height };
    }
    // Image data before any frame header, or a length that leads nowhere.
    const length = view.getUint16(at + 2);
    if (marker === 0xda || length < 2) return undefined;
    at += 2 + length;
  }
}

function text(view: DataView, start: number, length: number): string {
  if (start + length > view.byteLength) return "";
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + start, length));
}
