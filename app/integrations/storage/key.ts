const KEY = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/;

/** Returns a valid key. @throws on any other: the product makes all keys, so it is a bug */
export function checkKey(key: string): string {
  if (!KEY.test(key) || key.length > 200) throw new Error("not a storage key");
  return key;
}
