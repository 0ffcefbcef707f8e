import { and, eq } from "drizzle-orm";
import { waitlistEntries, waitlistOffers } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { closeOffer, endEntry, moveEntry } from "./entries.server.ts";
import { lockWaitlist } from "./lock.server.ts";
import { settleWaitlist } from "./settle.server.ts";

export type OwnOffer = {
  id: string;
  state: (typeof waitlistOffers.$inferSelect)["state"];
  practiceId: string;
  date: DateKey;
  time: TimeKey;
  endsAt: Date;
  entry: typeof waitlistEntries.$inferSelect;
};

/** Returns an offer to the acting patient. @throws DomainError("not-found") */
export async function readOwnOffer(ctx: Ctx<Actor>, id: string): Promise<OwnOffer> {
  const [row] = isUuid(id)
    ? await ctx.db
        .select({
          id: waitlistOffers.id,
          state: waitlistOffers.state,
          practiceId: waitlistOffers.practiceId,
          date: waitlistOffers.date,
          time: waitlistOffers.time,
          endsAt: waitlistOffers.endsAt,
          entry: waitlistEntries,
        })
        .from(waitlistOffers)
        .innerJoin(waitlistEntries, eq(waitlistEntries.id, waitlistOffers.entryId))
        .where(and(eq(waitlistOffers.id, id), eq(waitlistEntries.patientId, ctx.actor.userId)))
    : [];
  if (!row) throw new DomainError("not-found");
  return { ...row, time: row.time.slice(0, 5) };
}

/** Returns why an offer can no longer be answered; null while it can. */
export function offerOver(ctx: Ctx, offer: Pick<OwnOffer, "state" | "endsAt">): DomainError | null {
  if (offer.state === "withdrawn") return new DomainError("conflict", m.waitlist_offer_withdrawn());
  if (offer.state === "offered" && ctx.now < offer.endsAt) return null;
  return new DomainError("conflict", m.waitlist_offer_over());
}

/** Passes on an offered time: the next patient gets it, this one keeps their place. @throws DomainError("not-found" | "conflict") */
export async function passOffer(ctx: Ctx<Actor>, offerId: string): Promise<void> {
  const { entry } = await readOwnOffer(ctx, offerId);
  const refused = await transact(ctx, async (tx) => {
    await lockWaitlist(tx, entry.doctorId);
    const offer = await readOwnOffer(tx, offerId);
    // A second press.
    if (offer.state === "passed") return null;
    const over = offerOver(tx, offer);
    if (!over) {
      await closeOffer(tx, offerId, "passed");
      await moveEntry(tx, entry, "pass", offer, { lapses: 0 });
      await moveEntry(tx, entry, "wait-again");
    }
    // Also ends an offer that lapsed at this moment.
    await settleWaitlist(tx, entry.doctorId);
    return over;
  });
  if (refused) throw refused;
}

/** Takes the acting patient's entry off the waitlist, also while a time is offered. Idempotent. @throws DomainError("not-found") */
export async function leaveWaitlist(ctx: Ctx<Actor>, entryId: string): Promise<void> {
  const own = isUuid(entryId) ? await findOwn(ctx, entryId) : null;
  if (!own) throw new DomainError("not-found");
  await transact(ctx, async (tx) => {
    await lockWaitlist(tx, own.doctorId);
    const entry = await findOwn(tx, entryId);
    if (entry) await endEntry(tx, entry, "left");
    await settleWaitlist(tx, own.doctorId);
  });
}

async function findOwn(ctx: Ctx<Actor>, id: string) {
  const [row] = await ctx.db
    .select({
      id: waitlistEntries.id,
      patientId: waitlistEntries.patientId,
      doctorId: waitlistEntries.doctorId,
      offer: { id: waitlistOffers.id },
    })
    .from(waitlistEntries)
    .leftJoin(waitlistOffers, and(eq(waitlistOffers.entryId, waitlistEntries.id), eq(waitlistOffers.state, "offered")))
    .where(and(eq(waitlistEntries.id, id), eq(waitlistEntries.patientId, ctx.actor.userId)));
  return row ?? null;
}
