import { and, eq } from "drizzle-orm";
import { appointmentProposals } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import { PROPOSAL_ACTIONS } from "./proposal.state.ts";

/** Ends the open proposal of an appointment. The caller has locked the appointment. */
export async function lapseProposals(tx: Ctx, appointment: { id: string; doctorId: string }): Promise<void> {
  const ended = await tx.db
    .update(appointmentProposals)
    .set({ state: PROPOSAL_ACTIONS.lapse.to, endedAt: tx.now })
    .where(and(eq(appointmentProposals.appointmentId, appointment.id), eq(appointmentProposals.state, "proposed")))
    .returning({ id: appointmentProposals.id });
  const [people, data] = [{ doctor: appointment.doctorId }, { to: PROPOSAL_ACTIONS.lapse.to }];
  await recordChanges(
    tx,
    "proposal.lapse",
    ended.map(({ id }) => ({ subject: { proposal: id }, people, data })),
  );
}
