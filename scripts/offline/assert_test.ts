import * as std from "./assert.ts";
import {
  assert,
  assertArrayIncludes,
  assertEquals,
  assertExists,
  assertInstanceOf,
  AssertionError,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  fail,
} from "./assert.ts";

/** Fails unless `check` fails as an assertion; doesn't rest on the functions under test. */
function mustFail(check: () => unknown): void {
  let thrown: unknown;
  try {
    check();
  } catch (error) {
    thrown = error;
  }
  if (!(thrown instanceof AssertionError)) throw new Error(`no AssertionError: ${check}`);
}

async function mustReject(check: () => Promise<unknown>): Promise<void> {
  const thrown = await check().then(() => undefined, (error) => error);
  if (!(thrown instanceof AssertionError)) throw new Error(`no AssertionError: ${check}`);
}

Deno.test("assert() and fail() throw an AssertionError with the message", () => {
  assert(1);
  mustFail(() => assert(0));
  const error = assertThrows(() => assert("", "why"), AssertionError, "why");
  assertStrictEquals(error.name, "AssertionError");
  mustFail(() => fail("why"));
});

Deno.test("assertEquals() compares deeply", () => {
  const cyclic = (name: string) => {
    const value: Record<string, unknown> = { name };
    return Object.assign(value, { self: value });
  };
  const same: [unknown, unknown][] = [
    [NaN, NaN],
    [0, -0],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }],
    [Object.create(null), {}],
    [new Date(5), new Date(5)],
    [/a/g, /a/g],
    [new URL("file:///a"), new URL("file:///a")],
    [new Set([1, { a: 1 }]), new Set([{ a: 1 }, 1])],
    [new Map([[{ k: 1 }, [1]]]), new Map([[{ k: 1 }, [1]]])],
    [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    [new Error("a"), new Error("a")],
    [cyclic("a"), cyclic("a")],
    [{ [Symbol.for("s")]: 1 }, { [Symbol.for("s")]: 1 }],
  ];
  for (const [left, right] of same) {
    assertEquals(left, right);
    mustFail(() => assertNotEquals(left, right));
  }
});

Deno.test("assertEquals() tells apart what differs", () => {
  class A {}
  const different: [unknown, unknown][] = [
    [1, "1"],
    [null, undefined],
    [{ a: undefined }, {}],
    [{ a: undefined }, { b: undefined }],
    [[1, 2], [2, 1]],
    [[undefined], []],
    [[], {}],
    [new A(), {}],
    [new Date(5), new Date(6)],
    [/a/, /a/g],
    [new Set([1, 1]), new Set([1, 2])],
    [new Map([["a", 1]]), new Map([["a", 2]])],
    [new Uint8Array([1]), new Uint8Array([2])],
    [new Uint8Array([1]), [1]],
    [{ [Symbol.for("s")]: 1 }, {}],
  ];
  for (const [left, right] of different) {
    assertNotEquals(left, right);
    mustFail(() => assertEquals(left, right));
  }
});

Deno.test("assertEquals() shows both values and the message", () => {
  const error = assertThrows(() => assertEquals({ a: 1 }, { a: 2 }, "why"), AssertionError, "why");
  assertStringIncludes(error.message, "{ a: 1 }");
  assertStringIncludes(error.message, "{ a: 2 }");
});

Deno.test("assertStrictEquals() compares by identity", () => {
  assertStrictEquals(NaN, NaN);
  mustFail(() => assertStrictEquals({}, {}));
  mustFail(() => assertStrictEquals(0, -0));
});

Deno.test("assertExists(), assertInstanceOf() and assertMatch() check one property each", () => {
  assertExists(0);
  mustFail(() => assertExists(null));
  mustFail(() => assertExists(undefined));
  assertInstanceOf(new TypeError(), Error);
  mustFail(() => assertInstanceOf(new Error(), TypeError));
  mustFail(() => assertInstanceOf(null, Object));
  assertMatch("abc", /b/);
  mustFail(() => assertMatch("abc", /^b/));
});

Deno.test("assertStringIncludes() and assertArrayIncludes() look for parts", () => {
  assertStringIncludes("abc", "bc");
  mustFail(() => assertStringIncludes("abc", "cb"));
  assertArrayIncludes([1, { a: 1 }, 3], [3, { a: 1 }]);
  mustFail(() => assertArrayIncludes([1, 2], [1, 4]));
});

Deno.test("assertThrows() returns what was thrown, and checks class and message", () => {
  const error = new RangeError("out of \x1b[31mrange\x1b[0m");
  const raise = () => {
    throw error;
  };
  assertStrictEquals(assertThrows(raise), error);
  assertStrictEquals(assertThrows(raise, Error, "of range"), error);
  mustFail(() => assertThrows(raise, TypeError));
  mustFail(() => assertThrows(raise, RangeError, "in range"));
  mustFail(() => assertThrows(() => 1));
  mustFail(() => assertThrows(() => Promise.resolve(1)));
});

Deno.test("assertRejects() returns the rejection, and checks class and message", async () => {
  const error = new RangeError("out of range");
  assertStrictEquals(await assertRejects(() => Promise.reject(error)), error);
  assertStrictEquals(await assertRejects(() => Promise.reject(error), RangeError, "range"), error);
  await mustReject(() => assertRejects(() => Promise.reject(error), TypeError));
  await mustReject(() => assertRejects(() => Promise.reject(error), RangeError, "in range"));
  await mustReject(() => assertRejects(() => Promise.resolve(1)));
});

Deno.test("assertRejects() does not take a throw for a rejection", async () => {
  await mustReject(() =>
    assertRejects(() => {
      throw new Error("at once");
    })
  );
});

Deno.test("assertions narrow types", () => {
  const value: unknown = "text" as unknown;
  assert(typeof value === "string");
  assertStrictEquals(value.length, 4);
  const list: string[] = [];
  const first = ["a", ...list][0];
  std.assertExists(first);
  assertStrictEquals(first.length, 1);
  const thrown: unknown = new TypeError("why");
  std.assertInstanceOf(thrown, TypeError);
  assertStrictEquals(thrown.message, "why");
});
