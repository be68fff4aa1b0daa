import { assert, assertEquals } from "@std/assert";
import { Redactor } from "./redactor.ts";

const KEY = '-----BEGIN KEY-----\nMIIé/+"quoted"\\n00%41\nAb9/+xYz==trailing 🥕\n';
const SECRETS: Readonly<Record<string, string>> = {
  "a key": "sk-ant-0123456789",
  "a password": 'né\\w "p+ss" %41/🥕',
  "a key of three lines": KEY,
  "a key with escapes for line breaks": "-----BEGIN-----\\nMIIBVAIBADANBg\\nkqhkiG9w0BAQ==\\n",
  "a key with blanks around it": "  tok_0123456789\n",
};

type Spelling = (text: string) => string;

const json: Spelling = (text) => JSON.stringify(text).slice(1, -1);
const ascii: Spelling = (text) =>
  json(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const url: Spelling = encodeURIComponent;
const form: Spelling = (text) => new URLSearchParams({ "": text }).toString().slice(1);
const everyByte: Spelling = (text) =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
    .join("");
const base64 = (before: string, after: string): Spelling => (text) =>
  new TextEncoder().encode(before + text + after).toBase64();

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  "as it is": (text) => text,
  trimmed: (text) => text.trim(),
  "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "as JSON": json,
  "as JSON in JSON": (text) => json(json(text)),
  "as JSON in JSON in JSON": (text) => json(json(json(text))),
  "as ASCII JSON": ascii,
  "as ASCII JSON in capitals": (text) =>
    ascii(text).replace(/\\u([0-9a-f]{4})/g, (_, hex) => `\\u${hex.toUpperCase()}`),
  "as ASCII JSON in JSON in JSON": (text) => json(json(ascii(text))),
  "as JSON for HTML": (text) => json(text).replaceAll("/", "\\/").replaceAll("+", "\\u002b"),
  "percent-encoded": url,
  "percent-encoded in small letters": (text) => url(text).replace(/%../g, (at) => at.toLowerCase()),
  "percent-encoded twice": (text) => url(url(text)),
  "percent-encoded byte by byte": everyByte,
  "as a form": form,
  "percent-encoded JSON": (text) => url(json(text)),
  "JSON of what is percent-encoded": (text) => json(url(text)),
  "base64": base64("", ""),
  "base64 after one byte": base64("k", ""),
  "base64 after two bytes": base64("k=", "&x"),
  "base64 for URLs": (text) => base64("=", ".")(text).replaceAll("+", "-").replaceAll("/", "_"),
  "base64 in lines": (text) => base64("{", "}")(text).replace(/.{19}/g, "$&\n"),
  "base64 in lines in JSON": (text) => json(base64("ab", "")(text).replace(/.{19}/g, "$&\r\n")),
  "percent-encoded base64": (text) => url(base64("", "")(text)),
};

for (const [what, secret] of Object.entries(SECRETS)) {
  for (const [how, spell] of Object.entries(SPELLINGS)) {
    Deno.test(`faults 4.1: ${what} is taken out ${how}`, () => {
      const redactor = new Redactor([secret]);
      const spelt = spell(secret);
      const redacted = redactor.text(`first ${spelt} last`);
      assert(redacted.startsWith("first "), redacted);
      assert(redacted.endsWith(" last"), redacted);
      const left = redacted.slice(6, -5).replaceAll("[redacted]", "");
      // Blanks around it, in their spelling, and the bytes around it in base64.
      assert(left.length <= 16, left);
      assertEquals(redactor.json({ [spelt]: [spelt] }), {
        [redactor.text(spelt)]: [redactor.text(spelt)],
      });
    });
  }
}

Deno.test("faults 4.1: each line of a secret is taken out by itself, whatever its order", () => {
  const redactor = new Redactor([KEY]);
  for (const [how, spell] of Object.entries(SPELLINGS)) {
    for (const line of KEY.trim().split("\n")) {
      const text = `{"line": "${spell(line)}"}`;
      assert(redactor.text(text).includes("[redacted]"), `${how}: ${text}`);
      assert(!redactor.text(text).includes(spell(line).slice(4, -4)), `${how}: ${text}`);
    }
  }
});

Deno.test("faults 4.1: a judge's JSON in a JSON in a message has no line of a signing key", () => {
  const printed = JSON.stringify({ config: { key: KEY } });
  const event = { message: { content: JSON.stringify({ stdout: printed, stderr: "" }) } };
  const said = JSON.stringify(new Redactor([KEY]).json(event));
  for (const word of ["BEGIN KEY", "MII", "quoted", "Ab9", "trailing"]) {
    assert(!said.includes(word), said);
  }
});

Deno.test("texts that hold no secret stay as they are, whatever they are full of", () => {
  const redactor = new Redactor([
    KEY,
    "sk-ant-0123456789",
    "   \n   \n      ",
    "------\n======\n}",
  ]);
  const texts = [
    ...[
      "",
      " ".repeat(100),
      "\\".repeat(99),
      "%".repeat(99),
      "%25".repeat(99),
      "\\u",
      "%c3",
      "%ff",
    ],
    ...["-".repeat(80), "++++++++", "}\n}\n", "\ud83e", "C:\\new\\table %41%zz \\u12"],
    "sk-ant-012345678",
  ];
  for (const text of texts) assertEquals(redactor.text(text), text);
});

Deno.test("a secret is found after a backslash that is none of its own", () => {
  assertEquals(new Redactor(["new-secret-key"]).text("C:\\new-secret-key"), "C:\\[redacted]");
});

Deno.test("redacting takes time that is linear in the text, whatever a student writes", () => {
  const redactor = new Redactor([KEY, "sk-ant-0123456789"]);
  for (const piece of ["\\", "%25", "%", "%2525", "\\u00", "-", "\n", "ab%c3"]) {
    const text = piece.repeat(Math.ceil(500_000 / piece.length));
    const start = performance.now();
    redactor.text(text);
    // Half a second would be a hundred times the usual time; quadratic is minutes.
    const seconds = (performance.now() - start) / 1000;
    assert(seconds < 10, `${JSON.stringify(piece)}: ${seconds} s`);
  }
});
