import { assertEquals } from "@std/assert";
import { PLACEHOLDER_KEY } from "../../models/key_variable.ts";
import { lookUp, providerSource, secretKeys } from "./key_source.ts";

Deno.test("what stands for a key is no secret: it would be taken out of all that says it", () => {
  const proxied = { readVariable: () => undefined, proxied: true };
  const standIn = lookUp(providerSource("anthropic/claude-opus-5"), proxied);
  assertEquals(standIn?.key, PLACEHOLDER_KEY);
  const keys = [standIn?.key ?? null, null, "sk-literal", "$k-literal"];
  assertEquals(secretKeys(keys), ["sk-literal", "$k-literal"]);
});
