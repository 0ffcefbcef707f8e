import { type Ctx, transact } from "#app/domains/context.server.ts";
import { lockVisit } from "./locked-order.server.ts";
import { returnOwed } from "./return-owed.server.ts";

/** Refunds what was paid online for a cancelled appointment, if the policy owes it. Safe to repeat: nothing is left the second time. */
export const refundCancelled = (ctx: Ctx, appointmentId: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const visit = await lockVisit(tx, appointmentId);
    if (visit?.status === "cancelled") await returnOwed(tx, visit);
  });
