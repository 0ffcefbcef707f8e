import { auditLog } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { REFUSED_ACTIONS } from "./results.ts";

export type AuditSubject =
  | "user"
  | "session"
  | "appointment"
  | "medical-record"
  | "file"
  | "doctor"
  | "hospital"
  | "membership"
  | "queue"
  | "record-permission"
  | "record-share"
  | "review"
  | "support-thread"
  | "visit"
  | "waitlist-entry"
  | "wallet"
  | "conversation"
  /** A conversation by SMS or WhatsApp. */
  | "message-thread"
  | "document"
  | "family-member"
  | "notification"
  | "announcement"
  /** A file of patients that a clinic brings or takes out. */
  | "import"
  | "export"
  /** A refused page or call: its path without ids. */
  | "page"
  /** A login without an account: a keyed hash of what was typed. */
  | "login"
  | "log";

export type AuditEntry = {
  /** verb + noun: "accept-appointment", "read-record". */
  action: string;
  subjectType: AuditSubject;
  subjectId: string;
  /** The user whose record it is: their own log shows who opened it. */
  personId?: string | null;
  /** Facts without health text, codes or numbers in full. */
  details?: Record<string, unknown>;
};

const REFUSED: readonly string[] = REFUSED_ACTIONS;

/** Writes that somebody read data of a patient or of the platform, or exported it. What changes data is recorded by `recordChange`. */
export const recordRead = (ctx: Ctx, entry: AuditEntry): Promise<void> => recordReads(ctx, [entry]);
export async function recordReads(ctx: Ctx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length) await ctx.db.insert(auditLog).values(entries.map((entry) => auditRow(ctx, entry)));
}

/** Returns the row of an entry, with the actor of `ctx`. */
export const auditRow = (ctx: Ctx, entry: AuditEntry) => ({
  at: ctx.now,
  actorId: ctx.actor?.userId ?? null,
  actorRole: ctx.actor?.role ?? (REFUSED.includes(entry.action) ? ("visitor" as const) : ("system" as const)),
  action: entry.action,
  subjectType: entry.subjectType,
  subjectId: entry.subjectId,
  personId: entry.personId ?? null,
  details: { ...entry.details, ...(ctx.actor?.channel && { channel: ctx.actor.channel }) },
  requestId: ctx.requestId,
  ip: ctx.ip,
  hospitalId: ctx.actor?.onBehalfOf?.hospitalId ?? null,
  memberRole: ctx.actor?.onBehalfOf?.role ?? null,
  onBehalfOf: ctx.actor?.onBehalfOf?.doctorId ?? null,
});
