import { desc, eq, sql } from "drizzle-orm";
import { ledgerEntries, payments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { minus, type Paise, paise } from "#app/lib/money.ts";
import { discountLines } from "../ledger/ledger.ts";
import { postTransfer } from "../ledger/post-transfer.server.ts";

/** Brings the ledger to what Nadi bears of an appointment: its wallet discount while something of its fee stays paid, otherwise nothing. */
export async function settleDiscount(tx: Ctx, visit: { id: string; discount: Paise }): Promise<void> {
  const paid = await tx.db
    .select({
      id: payments.id,
      merchantId: payments.merchantId,
      doctorId: payments.doctorId,
      left: sql<number>`(${payments.amount} - ${payments.refunded})::float8`,
      borne: sql<number>`coalesce((select sum(e.amount) from ${ledgerEntries} e where e.payment_id = payments.id and e.account = 'discount'), 0)::float8`,
    })
    .from(payments)
    .where(eq(payments.appointmentId, visit.id))
    .orderBy(desc(payments.receivedAt), desc(payments.id));
  const [last] = paid;
  if (!last) return;
  const borne = paise(paid.reduce((sum, payment) => sum + payment.borne, 0));
  const due = paid.some(({ left }) => left > 0) ? visit.discount : paise(0);
  if (due !== borne)
    await postTransfer(tx, { paymentId: last.id, merchantId: last.merchantId, doctorId: last.doctorId }, discountLines(minus(due, borne)));
}
