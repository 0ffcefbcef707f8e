const KEY = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/;

/** The key itself. Keys are made by the product: any other form is a mistake in it, never an answer to a person. */
export function checkKey(key: string): string {
  if (!KEY.test(key) || key.length > 200) throw new Error("not a storage key");
  return key;
}
