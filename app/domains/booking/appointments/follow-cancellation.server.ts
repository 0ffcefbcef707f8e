import { requestRefund } from "#app/domains/booking/cancellation/request-refund.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { returnCode } from "#app/domains/patients/wallet/apply-code.server.ts";
import { followAppointment } from "#app/domains/waiting-room/queue/follow-appointment.server.ts";
import { lapseProposals } from "./lapse-proposals.server.ts";

/**
 * Does what follows from a cancelled appointment, whichever command cancelled it, in its transaction: ends the proposals, asks for the refund,
 * gives the discount code back and takes the token out of the queue. @returns what the audit entry says of it
 */
export async function followCancellation(
  tx: Ctx,
  { id, doctorId, refundOwed }: { id: string; doctorId: string; refundOwed: boolean },
): Promise<{ discountReturned?: true }> {
  await lapseProposals(tx, { id, doctorId });
  if (refundOwed) await requestRefund(tx, id);
  const returned = await returnCode(tx, id);
  await followAppointment(tx, id, "cancelled");
  return returned ? { discountReturned: true } : {};
}
