import { assertEquals } from "@std/assert";
import { byteCount } from "./byte_count.ts";

Deno.test("byteCount() writes bytes in the unit that fits", () => {
  assertEquals(
    [0, 1023, 1024, 1.5 * 1024 ** 3, 2 ** 31, 15_697_027_072, 3 * 1024 ** 5].map(byteCount),
    ["0 bytes", "1023 bytes", "1 KiB", "1.5 GiB", "2 GiB", "14.62 GiB", "3072 TiB"],
  );
});
