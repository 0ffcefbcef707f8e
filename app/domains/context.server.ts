import { inTransaction } from "#app/db/after-commit.server.ts";
import type { Db } from "#app/db/client.server.ts";
import type { Role } from "#app/db/schema/index.ts";
import type { Integrations } from "#app/integrations/index.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { MemberRole, MessageChannel } from "#app/lib/vocabulary.ts";

/** For whom a member of a place acts. */
export type OnBehalfOf = { hospitalId: string; role: MemberRole /** null: for the place itself. */; doctorId: string | null };

/** The acting user. `null` in a context: not logged in. */
export type Actor = {
  userId: string;
  role: Role;
  /** When the session last confirmed the user's identity (accounts/proof.ts). Absent: never. */
  provenAt?: Date | null | undefined;
  /** Set while a message by SMS or WhatsApp acts for the owner of its phone; written to audit rows. */
  channel?: MessageChannel;
  /** Set by commands of members; written to audit rows and events. Absent: for themselves. */
  onBehalfOf?: OnBehalfOf;
  /** Set by commands of administrators who change an appointment at the request of its patient or doctor. */
  helping?: { role: "patient" | "doctor"; userId: string };
};

/** Returns true while a member of a place acts for a doctor, who is another user. */
export const actsForDoctor = ({ userId, onBehalfOf }: Actor): boolean => !!onBehalfOf?.doctorId && onBehalfOf.doctorId !== userId;

/** The first argument of every command and query. Never contains a Request, a Response or a cookie. */
export type Ctx<A extends Actor | null = Actor | null> = {
  db: Db;
  actor: A;
  /** The instant of this request. The product reads the clock nowhere else. */
  now: Date;
  integrations: Integrations;
  /** For application logs and the audit log. */
  requestId: string;
  ip: string;
  /** The cookie of a device that logged in before (accounts/known-device.server.ts). Only rate limits read it. */
  device?: string | null;
};

/** Runs `work` in a transaction, with the same context on it. */
export function transact<A extends Actor | null, T>(ctx: Ctx<A>, work: (ctx: Ctx<A>) => Promise<T>): Promise<T> {
  return inTransaction(ctx.db, (db) => work({ ...ctx, db }));
}

/** Throws unless the actor is an administrator. @throws DomainError("forbidden") */
export function requireAdmin(ctx: Ctx<Actor>): void {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
}
