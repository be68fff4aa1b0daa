import { assertEquals, assertRejects } from "@std/assert";
import { wholeImages } from "../../../tests/support/sample_images.ts";
import { tempTools } from "../../../tests/support/temp_tools.ts";

Deno.test("view_image_file passes the bytes on with the type that they say", async () => {
  await using tools = await tempTools();
  for (const { bytes, mimeType } of Object.values(wholeImages(2000, 1))) {
    // The name says nothing.
    const file_path = `${tools.student.home}/image.txt`;
    await Deno.writeFile(file_path, bytes);
    assertEquals(await tools.call("view_image_file", { file_path }), { image: bytes, mimeType });
  }
});

Deno.test("view_image_file refuses what is too large, unknown or not the student's", async () => {
  await using tools = await tempTools();
  const file_path = `${tools.student.home}/image.png`;
  const view = (config = {}) => tools.call("view_image_file", { file_path }, { config });
  await assertRejects(() => view(), Error, "no such file");
  await Deno.writeFile(file_path, new Uint8Array(0));
  await assertRejects(() => view(), Error, "not a whole PNG");
  await Deno.writeTextFile(file_path, "<svg/>");
  await assertRejects(() => view(), Error, "not a whole PNG");
  const { png } = wholeImages(2001, 1);
  await Deno.writeFile(file_path, png.bytes.subarray(0, -1));
  await assertRejects(() => view(), Error, "not a whole PNG");
  await Deno.writeFile(file_path, png.bytes);
  await assertRejects(() => view(), Error, "2001 x 1 pixels");
  await assertRejects(() => view({ max_file_bytes: 44 }), Error, "has 45 bytes");
  assertEquals(await view({ max_img_dim: 2001, max_file_bytes: 45 }), {
    image: png.bytes,
    mimeType: "image/png",
  });
  await Deno.truncate(file_path, 5 * 1024 * 1024 + 1);
  await assertRejects(() => view(), Error, "has 5242881 bytes");
  await Deno.chmod(file_path, 0o600);
  await assertRejects(() => view(), Error, "permission denied");
});
