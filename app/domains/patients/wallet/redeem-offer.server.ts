import { and, eq } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { walletCodes, walletEntries } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { newReferenceCode } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { findOffer } from "./wallet.ts";

/**
 * Redeems an offer and returns the code for the acting patient. Points and code change in one transaction; a check constraint
 * decides whether the points suffice. Idempotent by the form's key.
 * @throws DomainError("not-found" | "unauthenticated"), "conflict" when there are not enough points
 */
export async function redeemOffer(ctx: Ctx<Actor>, input: { offer: string; key: string }): Promise<string> {
  const offer = findOffer(input.offer);
  if (!offer || ctx.actor.role !== "patient") throw new DomainError("not-found");
  const patientId = ctx.actor.userId;
  const idempotencyKey = `${offer.key}:${input.key}`;
  try {
    return await transact(ctx, async (tx) => {
      await requireOpenAccount(tx);
      const [entry] = await tx.db
        .insert(walletEntries)
        .values({ patientId, kind: "offer", about: offer.key, points: -offer.points, createdAt: tx.now })
        .returning({ id: walletEntries.id });
      const code = newReferenceCode("NW");
      await tx.db.insert(walletCodes).values({ patientId, offer: offer.key, code, entryId: entry!.id, idempotencyKey, createdAt: tx.now });
      await recordChange(tx, "redeem-offer", {
        subject: { wallet: patientId },
        people: { user: patientId },
        details: { offer: offer.key, points: offer.points },
      });
      return code;
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    // The first press may have spent the last points, so its code is searched before the points are checked.
    if (constraint === "wallet_codes_idempotency" || constraint === "wallets_not_negative") {
      const [first] = await ctx.db
        .select({ code: walletCodes.code })
        .from(walletCodes)
        .where(and(eq(walletCodes.patientId, patientId), eq(walletCodes.idempotencyKey, idempotencyKey)));
      if (first) return first.code;
    }
    if (constraint === "wallets_not_negative") throw new DomainError("conflict", m.wallet_not_enough());
    throw error;
  }
}
