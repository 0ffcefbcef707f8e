/**
 * Returns the entry of a table for a key that may come from outside. `table[key]` would find what every object has by birth:
 * "constructor" is a function and "__proto__" an object.
 */
export const ownEntry = <Value>(table: Partial<Readonly<Record<string, Value>>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
