/**
 * Returns the entry of a table for an untrusted key. `table[key]` would also find inherited properties such as "constructor"
 * and "__proto__".
 */
export const ownEntry = <Value>(table: Partial<Readonly<Record<string, Value>>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
