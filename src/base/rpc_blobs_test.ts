import { assertEquals } from "@std/assert";
import { concat } from "./bounded_bytes.ts";
import { utf8Pieces } from "./rpc_blobs.ts";

Deno.test("utf8Pieces gives the bytes of the whole text wherever it is cut", () => {
  const text = "a🥕é🥕🥕b";
  for (let pieceChars = 1; pieceChars <= text.length + 1; pieceChars++) {
    const pieces = [...utf8Pieces(text, pieceChars)];
    assertEquals(new TextDecoder().decode(concat(pieces)), text);
  }
  assertEquals([...utf8Pieces("")], []);
});
