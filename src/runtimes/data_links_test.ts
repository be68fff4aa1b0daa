import { assertEquals } from "@std/assert";
import { leavesDirectory } from "./data_links.ts";

Deno.test("leavesDirectory() refuses targets that lead out, and those that only a walk could judge", () => {
  const inside = [["a/b", "../c"], ["a/b", "c/d"], ["a/b/c", "../../x"], ["x", "."], [
    "x",
    "y//z/",
  ]];
  const outside = [["a", "/etc"], ["a", ".."], ["a/b", "../.."], ["a/b", "../../a"], [
    "a",
    "b/../c",
  ]];
  for (const [path = "", link = ""] of inside) {
    assertEquals(leavesDirectory(path, link), false, link);
  }
  for (const [path = "", link = ""] of outside) {
    assertEquals(leavesDirectory(path, link), true, link);
  }
});
