import { and, eq, type SQL, sql } from "drizzle-orm";
import { appointments, hospitals, ledgerEntries, payments } from "#app/db/schema/index.ts";
import { PLACE_OF_VISIT } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { hasPermission } from "#app/domains/places/members/permissions.ts";

/** SQL conditions: whose entries of the ledger, whose appointments, and whose payments the merchant itself received. */
export type MoneyOf = { moves: SQL; visits: SQL; settled: SQL };

/** Returns the conditions for the acting doctor. */
export const ownMoney = (ctx: Ctx<Actor>): MoneyOf & { payments: SQL } => ({
  moves: eq(ledgerEntries.doctorId, ctx.actor.userId),
  visits: eq(appointments.doctorId, ctx.actor.userId),
  payments: eq(payments.doctorId, ctx.actor.userId),
  settled: eq(payments.merchantId, ctx.actor.userId),
});

/**
 * Returns the conditions for a member of a place with `take-payment`: of the doctors that the member acts for. `sums`: the member may see the
 * takings. Without it `moves` matches nothing.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function placeMoney(ctx: Ctx<Actor>, hospitalId: string | undefined): Promise<MoneyOf & { placeName: string; sums: boolean }> {
  const acting = await requireActing(ctx, hospitalId, "take-payment");
  const { hospitalId: id, role } = acting.actor.onBehalfOf;
  const sums = hasPermission(role, "see-takings");
  const [place] = await ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, id));
  /** SQL: true for a doctor that the member acts for. */
  const actsFor = (doctorId: SQL) => sql`exists (select from memberships m where m.hospital_id = ${id} and m.user_id = ${ctx.actor.userId}
    and m.state = 'active' and (cardinality(m.doctor_ids) = 0 or ${doctorId} = any(m.doctor_ids)))`;
  return {
    placeName: place!.name,
    sums,
    moves: and(eq(ledgerEntries.merchantId, id), actsFor(sql`${ledgerEntries.doctorId}`), sums ? undefined : sql`false`)!,
    visits: and(
      sql`exists (select from place_doctors pd where pd.hospital_id = ${id} and pd.doctor_id = ${appointments.doctorId} and pd.state = 'active')`,
      eq(PLACE_OF_VISIT, id),
      actsFor(sql`${appointments.doctorId}`),
    )!,
    settled: and(eq(payments.merchantId, id), actsFor(sql`${payments.doctorId}`), sums ? undefined : sql`false`)!,
  };
}
