import type { Ctx } from "#app/domains/context.server.ts";
import { enqueue } from "#app/queue/queue.server.ts";

/** Queues the refund of what was paid online for a cancelled appointment, in the transaction of its cancellation. Nothing without a provider. */
export async function requestRefund(tx: Ctx, appointmentId: string): Promise<void> {
  if (tx.integrations.payments) await enqueue(tx, "refund-cancelled", { appointmentId });
}
