import type { Db } from "#app/db/client.server.ts";
import type { Role } from "#app/db/schema/index.ts";
import type { Integrations } from "#app/integrations/index.server.ts";

/** Who acts. `null` in a context means nobody is logged in. */
export type Actor = {
  userId: string;
  role: Role;
  /** When the session last proved who uses it (accounts/proof.ts). Absent: never. */
  provenAt?: Date | null | undefined;
};

/** What every command and query gets first: never a Request, a Response or a cookie. */
export type Ctx<A extends Actor | null = Actor | null> = {
  db: Db;
  actor: A;
  /** The instant of this request; the product never reads the clock elsewhere. */
  now: Date;
  integrations: Integrations;
  /** For logs and the audit. */
  requestId: string;
  ip: string;
  /** What the browser or app shows as a device that logged in before (accounts/known-device.server.ts). Only limits read it. */
  device?: string | null;
};

/** Runs `work` in one transaction and gives it the same context on it. */
export function transact<A extends Actor | null, T>(ctx: Ctx<A>, work: (ctx: Ctx<A>) => Promise<T>): Promise<T> {
  return ctx.db.transaction((db) => work({ ...ctx, db }));
}
