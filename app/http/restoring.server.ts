/**
 * Fills a form in again after a login by rendering the page like a refused post: its action runs, but `submitForm` returns before
 * any command. Until then the action can only read the database.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { data } from "react-router";
import type { Db } from "#app/db/client.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { refusalOf, refusals } from "./refusals.server.ts";

const restoring = new AsyncLocalStorage<{ answered: boolean }>();

/** Runs a request that only fills in a form. */
export const withRestoring = <T>(work: () => Promise<T>): Promise<T> => restoring.run({ answered: false }, work);

/** True in a request that only fills in a form. Allows database writes from now on. */
export function isRestoring(): boolean {
  const here = restoring.getStore();
  if (here) here.answered = true;
  return here !== undefined;
}

const READS = new Set(["select", "selectDistinct", "selectDistinctOn", "query", "$count", "$with"]);

/** Returns the database for an action. While filling in a form it refuses writes until `submitForm` has returned. */
export function readsUntilAnswered(db: Db): Db {
  const here = restoring.getStore();
  if (!here) return db;
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      if (here.answered || READS.has(String(name))) return value.bind(target);
      const refused = new DomainError("conflict");
      throw data(refusalOf(refused), { status: refusals.conflict.status });
    },
  });
}
