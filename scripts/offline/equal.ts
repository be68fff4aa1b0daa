/**
 * Deep equality as `@std/assert` documents it: same constructor (an object without a prototype
 * counts as a plain one), same own enumerable keys, `NaN` equal to itself, `0` equal to `-0`;
 * dates by time, URLs and regular expressions by text, sets and maps without regard to order.
 */
export function equal(left: unknown, right: unknown): boolean {
  return compare(left, right, new Map());
}

/** Pairs under comparison, so that a cycle ends. */
type Seen = Map<object, object>;

function compare(left: unknown, right: unknown, seen: Seen): boolean {
  if (left === right || Object.is(left, right)) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (constructorOf(left) !== constructorOf(right)) return false;
  if (left instanceof Date) return Object.is(left.getTime(), (right as Date).getTime());
  if (left instanceof RegExp || left instanceof URL) return String(left) === String(right);
  if (left instanceof ArrayBuffer) {
    return equalElements(new Uint8Array(left), new Uint8Array(right as ArrayBuffer));
  }
  if (left instanceof Uint8Array) return equalElements(left, right as Uint8Array);
  if (seen.get(left) === right) return true;
  seen.set(left, right);
  if (left instanceof Map) return equalEntries([...left], [...right as typeof left], seen);
  if (left instanceof Set) return equalEntries([...left], [...right as typeof left], seen);
  if (left instanceof Error && left.message !== (right as Error).message) return false;
  return equalProperties(left, right, seen);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function constructorOf(value: object): unknown {
  return value.constructor ?? Object;
}

function equalElements(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((element, index) => element === right[index]);
}

function equalEntries(left: unknown[], right: unknown[], seen: Seen): boolean {
  if (left.length !== right.length) return false;
  const unmatched = [...right];
  return left.every((entry) => {
    // Each trial has its own record: a failed one must not count as a match later.
    const index = unmatched.findIndex((other) => compare(entry, other, new Map(seen)));
    if (index >= 0) unmatched.splice(index, 1);
    return index >= 0;
  });
}

function equalProperties(left: object, right: object, seen: Seen): boolean {
  const keys = enumerableKeys(left);
  if (keys.length !== enumerableKeys(right).length) return false;
  if (Array.isArray(left) && left.length !== (right as unknown[]).length) return false;
  return keys.every((key) =>
    Object.hasOwn(right, key) && compare(Reflect.get(left, key), Reflect.get(right, key), seen)
  );
}

function enumerableKeys(value: object): PropertyKey[] {
  return Reflect.ownKeys(value).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(value, key)
  );
}
