import { createHash, randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { paymentEvents, paymentOrders, payments } from "#app/db/schema/index.ts";
import type { EventFact } from "#app/db/schema/payment-orders.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError, type RefusalCode } from "#app/lib/domain-error.ts";
import type { MessageRefusal } from "#app/lib/vocabulary.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { recordRefused } from "../messages/record-refused.server.ts";

/** `reference`: the provider's own id of the message, in a header that the signature does not cover. */
export type Webhook = { provider: string | undefined; raw: Uint8Array; signature: string; reference: string | null };

/** The form of a provider's ids. */
const ID = /^[\w:.-]{4,100}$/;

/**
 * Stores a signed message of the provider once, by its bytes, and queues what it means. Counts a refused one. Returns `seen` for a repeat and `other` for a message that is not about
 * money of an order.
 * @throws DomainError("not-found") without that provider or for an order that we do not have, "forbidden" for a wrong signature, "invalid"
 */
export async function receiveWebhook(
  ctx: Ctx,
  { provider: name, raw, signature, reference }: Webhook,
): Promise<"stored" | "seen" | "other"> {
  const provider = ctx.integrations.payments;
  if (provider?.name !== name || !provider) throw new DomainError("not-found");
  const refuse = async (code: RefusalCode, reason: MessageRefusal) => {
    await recordRefused(ctx, { provider: name, reason, eventId: reason === "order" && ID.test(reference ?? "") ? reference : null });
    return new DomainError(code);
  };
  if (!provider.verifyWebhook(raw, signature)) throw await refuse("forbidden", "signature");
  const fact = provider.readWebhook(raw);
  if (!fact) throw await refuse("invalid", "malformed");
  if (!fact.payment && !fact.refund) return "other";
  const orderId = await findOrderId(ctx, provider.name, fact);
  if (!orderId) throw await refuse("not-found", "order");
  const eventId = createHash("sha256").update(raw).digest("hex");
  return transact(ctx, async (tx) => {
    const key = randomBytes(32).toString("base64url");
    const row = [provider.name, eventId];
    const stored = await tx.db
      .insert(paymentEvents)
      .values({
        provider: provider.name,
        eventId,
        dataKey: sealed(paymentEvents.dataKey, row, key),
        raw: sealed(paymentEvents.raw, row, Buffer.from(raw).toString("base64"), [key]),
        fact,
        orderId,
        receivedAt: tx.now,
      })
      .onConflictDoNothing()
      .returning({ id: paymentEvents.eventId });
    if (!stored.length) return "seen";
    await enqueue(tx, "payment-order", { orderId });
    return "stored";
  });
}

/** Returns our order of a message: by the provider's order, or by the payment of a refund. */
async function findOrderId(ctx: Ctx, provider: "razorpay" | "local", fact: EventFact): Promise<string | undefined> {
  if (fact.orderId) {
    const [order] = await ctx.db
      .select({ id: paymentOrders.id })
      .from(paymentOrders)
      .where(and(eq(paymentOrders.provider, provider), eq(paymentOrders.providerOrderId, fact.orderId)));
    return order?.id;
  }
  const paymentId = fact.payment?.id ?? fact.refund?.paymentId;
  if (!paymentId) return undefined;
  const [of] = await ctx.db.select({ orderId: payments.orderId }).from(payments).where(eq(payments.providerPaymentId, paymentId));
  return of?.orderId ?? undefined;
}
