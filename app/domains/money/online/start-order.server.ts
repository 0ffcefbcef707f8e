import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { appointments, doctors, paymentOrders, payments } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { IS_CONFIRMING } from "#app/domains/booking/payments/confirming.server.ts";
import { dueOf } from "#app/domains/booking/payments/payment-status.ts";
import { PLACE_OF_VISIT } from "#app/domains/booking/payments/visit-sums.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import type { PaymentProvider, ProviderOrder } from "#app/integrations/payments/payment-provider.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { type InvoiceTerms, type PlatformFee, withPlatformFee } from "#app/lib/platform-fee.ts";
import { m } from "#app/paraglide/messages.js";
import { log } from "#app/runtime/log.server.ts";
import { PAYMENT_ORDER_ACTIONS } from "../orders/order.state.ts";
import { sumsOf } from "../payments/payment-line.ts";
import { checkAccountSoon, findTransferAccount } from "../payouts/transfer-account.server.ts";
import { platformFeeDue } from "../platform-fee/fee-due.server.ts";

/** How long a patient may pay an order. Later money is accepted when it is still due, otherwise refunded. */
const ORDER_TIME = minutes(30);

/**
 * Opens an order for what the acting patient still has to pay for an appointment, or finds the open one: two tabs pay the same order. With a confirmed
 * payout account of the merchant the order transfers its whole amount there, without the platform fee. The row has account and fee, so that a retry
 * sends the same order.
 * @throws DomainError("not-found"), "too-many" new orders, "conflict" when nothing can be paid or the bank is confirming a payment, "unavailable" without a provider or while it is down
 */
export async function startOrder(ctx: Ctx<Actor>, appointmentId: string): Promise<void> {
  const provider = ctx.integrations.payments;
  if (!provider) throw new DomainError("invalid");
  if (!isUuid(appointmentId)) throw new DomainError("not-found");
  const isOpen = and(eq(paymentOrders.appointmentId, appointmentId), eq(paymentOrders.state, "created"));
  const [known] = await ctx.db.select({ expiresAt: paymentOrders.expiresAt }).from(paymentOrders).where(isOpen);
  if (!known || known.expiresAt <= ctx.now) await spendLimits(ctx, [{ limit: "payment-order", key: ctx.actor.userId }]);
  const order = await transact(ctx, async (tx) => {
    const [visit] = await lockVisit(tx, appointmentId);
    if (!visit) throw new DomainError("not-found");
    if (!visit.payable) throw new DomainError("conflict", m.payments_not_live());
    if (visit.confirming) throw new DomainError("conflict", m.online_confirming());
    const sums = sumsOf(
      await tx.db
        .select({ amount: payments.amount, refunded: payments.refunded, corrected: payments.corrected })
        .from(payments)
        .where(eq(payments.appointmentId, appointmentId)),
    );
    const due = dueOf({ ...visit, ...sums });
    // The appointment is about to be cancelled.
    const { prepayUntil } = sums.received > sums.corrected ? { prepayUntil: null } : visit;
    if (prepayUntil && prepayUntil <= tx.now) throw new DomainError("conflict", m.prepay_over());
    if (!due) throw new DomainError("conflict", m.online_nothing_due());
    const platformFee = await platformFeeDue(tx, appointmentId);
    const [open] = await tx.db.select().from(paymentOrders).where(isOpen);
    const isSame = open?.amount === due && open.platformFee === platformFee;
    if (open && isSame && open.expiresAt > tx.now && open.provider === provider.name) return { ...open, isNew: false };
    if (open) await expireOrder(tx, open);
    const merchantId = visit.staffedPlaceId ?? visit.doctorId;
    const row = {
      id: randomUUID(),
      appointmentId,
      doctorId: visit.doctorId,
      merchantId,
      amount: due,
      platformFee,
      platformFeeTerms: platformFee > 0 ? termsOf(provider.platformFee!) : null,
      provider: provider.name,
      transferAccount: await findTransferAccount(tx, merchantId, provider.name),
      expiresAt: new Date(Math.min(tx.now.getTime() + ORDER_TIME, prepayUntil?.getTime() ?? Number.POSITIVE_INFINITY)),
      createdAt: tx.now,
    };
    await tx.db.insert(paymentOrders).values(row);
    const of = { subject: { "payment-order": row.id }, people: { doctor: row.doctorId } };
    await recordChange(tx, "payment-order.create", { ...of, data: { to: "created" } });
    return { ...row, providerOrderId: null, isNew: true };
  });
  if (order.providerOrderId) return;
  // An earlier call may have created it without being answered.
  const earlier = order.isNew ? null : await provider.findOrder(order.id).catch(sayWhoIsDown);
  const made = earlier ?? (await createOrder(ctx, provider, order));
  // Of two tabs the first order counts. No patient is sent to the other one.
  await ctx.db
    .update(paymentOrders)
    .set({ providerOrderId: made.id })
    .where(and(eq(paymentOrders.id, order.id), isNull(paymentOrders.providerOrderId)));
}

const lockVisit = (tx: Ctx<Actor>, appointmentId: string) =>
  tx.db
    .select({
      status: appointments.status,
      fee: appointments.fee,
      discount: appointments.discount,
      doctorId: appointments.doctorId,
      prepayUntil: appointments.prepayUntil,
      confirming: IS_CONFIRMING,
      staffedPlaceId: sql<string | null>`(select pd.hospital_id from place_doctors pd
        where pd.doctor_id = appointments.doctor_id and pd.state = 'active' and pd.hospital_id = ${PLACE_OF_VISIT})`,
      payable: and(openVisit(appointments), startsLater(appointments, minuteInIndia(tx.now)), listedDoctor(doctors))!.mapWith(Boolean),
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(and(eq(appointments.id, appointmentId), eq(appointments.patientId, tx.actor.userId)))
    .for("no key update", { of: appointments });

async function expireOrder(tx: Ctx<Actor>, order: typeof paymentOrders.$inferSelect): Promise<void> {
  const { to } = PAYMENT_ORDER_ACTIONS.expire;
  await tx.db.update(paymentOrders).set({ state: to }).where(eq(paymentOrders.id, order.id));
  const people = { patient: null, doctor: order.doctorId };
  await recordChange(tx, "payment-order.expire", {
    subject: { "payment-order": order.id, appointment: order.appointmentId },
    people,
    data: { to },
  });
}

const termsOf = ({ tax, invoicer, gstin }: PlatformFee): InvoiceTerms => ({ tax, invoicer, gstin });

type NewOrder = Pick<typeof paymentOrders.$inferSelect, "id" | "appointmentId" | "doctorId" | "amount" | "platformFee" | "transferAccount">;

/**
 * Creates an order at the provider. One that it refuses ends: it may have suspended the account since we asked last, and the next order goes
 * without a transfer when the account is no longer confirmed.
 */
async function createOrder(
  ctx: Ctx,
  provider: PaymentProvider,
  { id, appointmentId, doctorId, amount, platformFee, transferAccount }: NewOrder,
): Promise<ProviderOrder> {
  const transfers = transferAccount ? [{ account: transferAccount, amount }] : [];
  try {
    return await provider.createOrder({ ownId: id, amount: withPlatformFee({ amount, platformFee }), transfers });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "conflict") return sayWhoIsDown(error);
    log.error({ err: error, order: id }, "the provider refused an order");
    const { from, to } = PAYMENT_ORDER_ACTIONS.fail;
    await transact(ctx, async (tx) => {
      if (transferAccount) await checkAccountSoon(tx, transferAccount, provider.name);
      const isOpen = and(eq(paymentOrders.id, id), isNull(paymentOrders.providerOrderId), inArray(paymentOrders.state, [...from]));
      const failed = await tx.db.update(paymentOrders).set({ state: to }).where(isOpen).returning({ id: paymentOrders.id });
      const of = { subject: { "payment-order": id, appointment: appointmentId }, people: { patient: null, doctor: doctorId } };
      if (failed.length) await recordChange(tx, "payment-order.fail", { ...of, data: { to } });
    });
    throw new DomainError("unavailable", m.online_down(), { cause: error });
  }
}

/** Names the payment partner: the default sentence of "unavailable" says that Nadi is down. */
function sayWhoIsDown(error: unknown): never {
  if (error instanceof DomainError && error.code === "unavailable") throw new DomainError("unavailable", m.online_down(), { cause: error });
  throw error;
}
