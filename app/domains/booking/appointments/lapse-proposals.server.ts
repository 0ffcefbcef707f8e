import { and, eq } from "drizzle-orm";
import { appointmentProposals } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";
import { PROPOSAL_ACTIONS } from "./proposal.state.ts";

/** Ends the open proposal of an appointment. The caller has locked the appointment. */
export async function lapseProposals(tx: Ctx, appointment: { id: string; doctorId: string }): Promise<void> {
  const ended = await tx.db
    .update(appointmentProposals)
    .set({ state: PROPOSAL_ACTIONS.lapse.to, endedAt: tx.now })
    .where(and(eq(appointmentProposals.appointmentId, appointment.id), eq(appointmentProposals.state, "proposed")))
    .returning({ id: appointmentProposals.id });
  for (const { id } of ended)
    await recordEvent(tx, {
      kind: "proposal.lapse",
      subjectId: id,
      doctorId: appointment.doctorId,
      data: { to: PROPOSAL_ACTIONS.lapse.to },
    });
}
