import type { Db } from "./client.server.ts";

/** What to do after the commit, by the connection of the transaction. */
const effects = new WeakMap<object, (() => void)[]>();

/** Runs `work` in a transaction, then what it left to `afterCommit`. Within another transaction that waits for the outer commit. */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const own: (() => void)[] = [];
  const result = await db.transaction((tx) => {
    effects.set(tx, own);
    return work(tx);
  });
  const outer = effects.get(db);
  if (outer) outer.push(...own);
  else for (const effect of own) effect();
  return result;
}

/** Runs `effect` after the commit of the transaction, and never when it is rolled back. Without a transaction: at once. */
export function afterCommit(db: Db, effect: () => void): void {
  const own = effects.get(db);
  if (own) own.push(effect);
  else effect();
}
