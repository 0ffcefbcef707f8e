import { and, eq, inArray } from "drizzle-orm";
import { announcements, hospitals } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { addDays, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import type { AnnouncementInput } from "./announcement.schema.ts";
import { ANNOUNCEMENT_ACTIONS, type AnnouncementAction } from "./announcement.state.ts";
import { countAudience } from "./audience.server.ts";

const MOST_DAYS = 90;

function requireAdmin(ctx: Ctx<Actor>): void {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
}

/** Stores a draft, new or changed. Sends nothing. @returns its id @throws DomainError("forbidden" | "invalid" | "not-found" | "conflict") */
export async function saveAnnouncement(ctx: Ctx<Actor>, input: AnnouncementInput, id?: string): Promise<string> {
  requireAdmin(ctx);
  const today = todayInIndia(ctx.now);
  if (input.ends < today || input.ends > addDays(today, MOST_DAYS))
    throw new DomainError("invalid", undefined, { fields: { ends: [m.announce_ends_range({ days: String(MOST_DAYS) })] } });
  const ofPlace = input.audience === "members" || input.audience === "place-doctors";
  if (ofPlace && !input.hospitalId) throw new DomainError("invalid", undefined, { fields: { audience: [m.announce_audience_required()] } });
  return transact(ctx, async (tx) => {
    const hospitalId = ofPlace ? input.hospitalId : null;
    if (hospitalId && !(await tx.db.$count(hospitals, eq(hospitals.id, hospitalId)))) throw new DomainError("not-found");
    const values = {
      audience: input.audience,
      hospitalId,
      texts: input.texts,
      language: input.language,
      endsAt: instantInIndia(addDays(input.ends, 1), "00:00"),
      updatedAt: tx.now,
    };
    if (id !== undefined) {
      await change(tx, id, "edit", values);
      return id;
    }
    const [row] = await tx.db
      .insert(announcements)
      .values({ ...values, createdBy: tx.actor.userId, createdAt: tx.now })
      .returning({ id: announcements.id });
    return row!.id;
  });
}

/**
 * Sends a draft: the job delivers it in batches after the commit. A second press is refused.
 * @returns how many users get it now @throws DomainError("forbidden" | "not-found" | "conflict")
 */
export async function sendAnnouncement(ctx: Ctx<Actor>, id: string): Promise<number> {
  requireAdmin(ctx);
  return transact(ctx, async (tx) => {
    const sent = await change(tx, id, "send", { sentAt: tx.now });
    if (sent.endsAt <= tx.now) throw new DomainError("conflict", m.announce_ended());
    const recipients = await countAudience(tx, sent);
    if (!recipients) throw new DomainError("conflict", m.announce_nobody());
    await recordChange(tx, "send-announcement", {
      subject: { announcement: id },
      details: { audience: sent.audience, recipients, ...(sent.hospitalId && { hospital: sent.hospitalId }) },
    });
    await enqueue(tx, "announcement", { announcementId: id });
    return recipients;
  });
}

/** Withdraws an announcement: the banner disappears at once, the job deletes its notifications. @throws DomainError("forbidden" | "not-found" | "conflict") */
export async function withdrawAnnouncement(ctx: Ctx<Actor>, id: string): Promise<void> {
  requireAdmin(ctx);
  return transact(ctx, async (tx) => {
    const { sentAt } = await change(tx, id, "withdraw", { withdrawnAt: tx.now, reached: null });
    await recordChange(tx, "withdraw-announcement", { subject: { announcement: id } });
    if (sentAt) await enqueue(tx, "announcement", { announcementId: id });
  });
}

/** Changes the state by one conditional update. */
async function change(tx: Ctx<Actor>, id: string, action: AnnouncementAction, set: Partial<typeof announcements.$inferInsert>) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const { from, to } = ANNOUNCEMENT_ACTIONS[action];
  const [row] = await tx.db
    .update(announcements)
    .set({ ...set, state: to, updatedAt: tx.now })
    .where(and(eq(announcements.id, id), inArray(announcements.state, [...from])))
    .returning();
  if (row) return row;
  const known = await tx.db.$count(announcements, eq(announcements.id, id));
  throw known ? new DomainError("conflict", m.announce_changed()) : new DomainError("not-found");
}
