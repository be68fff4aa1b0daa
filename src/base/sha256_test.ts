import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { Sha256 } from "./sha256.ts";

Deno.test("Sha256 is right for no byte, for few and for many, whatever the pieces", async () => {
  for (const sizes of [[], [0], [5], [1000, 1], [262_144], [262_144, 1], [100, 400_000, 3]]) {
    const expected = createHash("sha256");
    const found = new Sha256();
    for (const size of sizes) {
      const piece = new Uint8Array(size).map((_, index) => index + size);
      expected.update(piece);
      await found.update(piece);
      piece.fill(0);
    }
    assertEquals(await found.digest(), expected.digest("hex"), sizes.join(" "));
  }
});
