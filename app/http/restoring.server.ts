/**
 * A page whose form is filled in again after a login is rendered like a refused post: the page's action runs, but `submitForm`
 * answers before any command. Until it has answered, the action can only read the database.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { data } from "react-router";
import type { Db } from "#app/db/client.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { refusalOf, refusals } from "./refusals.server.ts";

const restoring = new AsyncLocalStorage<{ answered: boolean }>();

/** Runs a request that fills a form in and submits nothing. */
export const withRestoring = <T>(work: () => Promise<T>): Promise<T> => restoring.run({ answered: false }, work);

/** True in a request that only fills a form in; from here on the database can be written again. */
export function isRestoring(): boolean {
  const here = restoring.getStore();
  if (here) here.answered = true;
  return here !== undefined;
}

const READS = new Set(["select", "selectDistinct", "selectDistinctOn", "query", "$count", "$with"]);

/** The database for an action: in a request that only fills a form in it refuses to write until `submitForm` has answered. */
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
