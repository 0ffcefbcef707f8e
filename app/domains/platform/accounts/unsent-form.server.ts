/**
 * A form that needed a new proof is stored with the session, encrypted, and filled in again after the proof. One for each
 * session, for thirty minutes; it ends with the session.
 */
import { and, eq, isNotNull, lt } from "drizzle-orm";
import type { Sealed } from "#app/db/schema/columns.ts";
import { sessions } from "#app/db/schema/index.ts";
import { open, sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { hours, minutes } from "#app/lib/durations.ts";

const LIFE = minutes(30);
type Stored = { path: string; until: number; form: unknown };

const ownSession = (ctx: Ctx<Actor>, sessionHash: string) =>
  and(eq(sessions.tokenHash, sessionHash), eq(sessions.userId, ctx.actor.userId));

/** Stores the typed values of a page's form. `form` is JSON. */
export async function storeUnsentForm(ctx: Ctx<Actor>, sessionHash: string, input: { path: string; form: unknown }): Promise<void> {
  const stored: Stored = { ...input, until: ctx.now.getTime() + LIFE };
  await ctx.db
    .update(sessions)
    .set({ unsentForm: sealed(sessions.unsentForm, sessionHash, JSON.stringify(stored)) })
    .where(ownSession(ctx, sessionHash));
}

/** Returns the stored values of a page's form; null for none. */
export async function readUnsentForm(ctx: Ctx<Actor>, sessionHash: string, path: string): Promise<unknown> {
  const [row] = await ctx.db.select({ sealed: sessions.unsentForm }).from(sessions).where(ownSession(ctx, sessionHash));
  if (!row?.sealed) return null;
  const stored = openStored(row.sealed, sessionHash);
  return stored && stored.path === path && stored.until > ctx.now.getTime() ? stored.form : null;
}

/** Decrypts a stored form; null if its key is gone, so that the page opens empty. */
function openStored(value: Sealed, sessionHash: string): Stored | null {
  try {
    return JSON.parse(open(sessions.unsentForm, sessionHash, value)) as Stored;
  } catch {
    return null;
  }
}

/** Deletes the stored form after a form of this session was sent. */
export async function forgetUnsentForm(ctx: Ctx<Actor>, sessionHash: string): Promise<void> {
  await ctx.db
    .update(sessions)
    .set({ unsentForm: null })
    .where(and(ownSession(ctx, sessionHash), isNotNull(sessions.unsentForm)));
}

/** Deletes stored forms of sessions that were not used for an hour. */
export async function sweepUnsentForms(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now.getTime() - hours(1));
  await ctx.db
    .update(sessions)
    .set({ unsentForm: null })
    .where(and(isNotNull(sessions.unsentForm), lt(sessions.lastSeenAt, before)));
}
