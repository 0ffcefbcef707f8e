/**
 * What a process remembers of its start: its settings, and rows of its database. The server of the tests begins again with other ones in
 * the same process (tests/setup/serve-again.ts), and forgets all of it before.
 */
const forgetting = new Set<() => void>();

/** Registers how a module forgets what it remembers. */
export function forgetWith(forget: () => void): void {
  forgetting.add(forget);
}

/** Marks a cache of what is in the database. */
export function ofDatabase<Cache extends { clear(): void }>(cache: Cache): Cache {
  forgetWith(() => cache.clear());
  return cache;
}

/** Forgets everything. Nothing may use the settings or the database meanwhile. */
export function forgetStart(): void {
  for (const forget of forgetting) forget();
}
