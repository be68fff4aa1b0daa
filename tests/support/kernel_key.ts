const NUMBERS = Deno.build.arch === "x86_64" ? { addKey: 248, keyctl: 250 } : {
  addKey: 217,
  keyctl: 219,
};
const USER_KEYRING = -4n;
const [REVOKE, UNLINK] = [3n, 9n];

/**
 * Adds a key of a test to this user's keyring, until it is disposed; nothing where there are none.
 */
export function kernelKey(description: string): Disposable {
  const library = Deno.dlopen("libc.so.6", {
    addKey: {
      name: "syscall",
      parameters: ["isize", "buffer", "buffer", "buffer", "usize", "isize"],
      result: "isize",
    },
    keyctl: {
      name: "syscall",
      parameters: ["isize", "isize", "isize", "isize"],
      result: "isize",
    },
  });
  const { addKey, keyctl } = library.symbols;
  const text = (value: string) => new TextEncoder().encode(`${value}\0`);
  const [type, name, payload] = [text("user"), text(description), text("secret")];
  const size = BigInt(payload.length);
  const key = addKey(BigInt(NUMBERS.addKey), type, name, payload, size, USER_KEYRING);
  return {
    [Symbol.dispose]() {
      const number = BigInt(NUMBERS.keyctl);
      if (key > 0n) {
        keyctl(number, REVOKE, key, 0n);
        keyctl(number, UNLINK, key, USER_KEYRING);
      }
      library.close();
    },
  };
}
