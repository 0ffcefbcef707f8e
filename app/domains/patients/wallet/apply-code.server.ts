import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { appointments, walletCodes } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type Paise, paise } from "#app/lib/money.ts";
import { discountOf, findOffer, OFFERS } from "./wallet.ts";

export type TakenCode = { id: string; discount: Paise };

/** Returns whether the acting patient has an unused code. Used in each booking, to save the locking query. */
export async function hasReadyCode(ctx: Ctx<Actor>): Promise<boolean> {
  const query = hot(ctx.db, "has_ready_code", (db) =>
    db
      .select({ id: walletCodes.id })
      .from(walletCodes)
      .where(and(eq(walletCodes.patientId, sql.placeholder("patient")), isNull(walletCodes.appointmentId)))
      .limit(1)
      .prepare("has_ready_code"),
  );
  return (await query.execute({ patient: ctx.actor.userId })).length > 0;
}

/**
 * Locks and returns the oldest unused code of the acting patient that fits this visit, so that concurrent bookings never get the
 * same one. Null when none fits.
 */
export async function takeCode(tx: Ctx<Actor>, visit: { fee: Paise | null; category: string }): Promise<TakenCode | null> {
  const fitting = OFFERS.filter((offer) => discountOf(offer, visit) > 0).map((offer) => offer.key);
  if (!fitting.length) return null;
  const [code] = await tx.db
    .select({ id: walletCodes.id, offer: walletCodes.offer })
    .from(walletCodes)
    .where(and(eq(walletCodes.patientId, tx.actor.userId), isNull(walletCodes.appointmentId), inArray(walletCodes.offer, fitting)))
    .orderBy(asc(walletCodes.createdAt), asc(walletCodes.id))
    .limit(1)
    .for("update", { skipLocked: true });
  const offer = code && findOffer(code.offer);
  return offer ? { id: code.id, discount: discountOf(offer, visit) } : null;
}

/** Assigns the locked code to this appointment. */
export async function attachCode(tx: Ctx<Actor>, code: TakenCode, appointmentId: string): Promise<void> {
  await tx.db.update(walletCodes).set({ appointmentId, appliedAt: tx.now }).where(eq(walletCodes.id, code.id));
}

/** Refunds the wallet code of a cancelled appointment: it can be used again, and the discount is removed. @returns whether it had one */
export async function returnCode(tx: Ctx, appointmentId: string): Promise<boolean> {
  const given = await tx.db
    .update(walletCodes)
    .set({ appointmentId: null, appliedAt: null })
    .where(eq(walletCodes.appointmentId, appointmentId))
    .returning({ id: walletCodes.id });
  if (!given.length) return false;
  await tx.db
    .update(appointments)
    .set({ discount: paise(0) })
    .where(eq(appointments.id, appointmentId));
  return true;
}
