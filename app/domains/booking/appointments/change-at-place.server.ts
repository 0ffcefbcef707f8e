import { and, eq } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { isVisitOf } from "#app/db/schema/visit-of-clinic.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { type ActingCtx, requireActing } from "#app/domains/places/members/acting.server.ts";
import type { CancelReason } from "#app/domains/visit-reasons.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { readChangeView } from "./caller-times.server.ts";
import type { ChangeView } from "./caller-times.ts";
import { changeAppointment } from "./change-appointment.server.ts";
import type { ProposedTime } from "./proposal-times.ts";
import { moveAppointment, proposeTimes } from "./proposals.server.ts";

/** What members do with an appointment. Only the doctor completes it. */
export const MEMBER_ACTIONS = ["accept", "cancel"] as const;
export type MemberAction = (typeof MEMBER_ACTIONS)[number];

/**
 * Returns the context of a member who may change an appointment at their place, acting for the appointment's doctor, and its practice.
 * @throws DomainError("not-found") also when the appointment is at another place of the doctor, "forbidden" without the permission
 */
export async function actForAppointment(
  ctx: Ctx<Actor>,
  hospitalId: string,
  id: string,
): Promise<{ acting: ActingCtx; practiceId: string }> {
  await requireActing(ctx, hospitalId, "change-appointments");
  if (!isUuid(id)) throw new DomainError("not-found");
  const [visit] = await ctx.db
    .select({ doctorId: appointments.doctorId, practiceId: appointments.practiceId })
    .from(appointments)
    .where(and(eq(appointments.id, id), isVisitOf(hospitalId)));
  if (!visit) throw new DomainError("not-found");
  const acting = await requireActing(ctx, hospitalId, "change-appointments", visit.doctorId);
  return { acting, practiceId: visit.practiceId };
}

/**
 * Accepts or cancels an appointment at the member's place, for its doctor. Audit row, event and the patient's access page name both.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export function changeAtPlace(
  ctx: Ctx<Actor>,
  { hospitalId, ...input }: { hospitalId: string; id: string; action: MemberAction; reason?: CancelReason; note?: string },
): Promise<void> {
  return transact(ctx, async (tx) => changeAppointment((await actForAppointment(tx, hospitalId, input.id)).acting, input));
}

/**
 * Moves an appointment at the member's place to another free time of its doctor at this place. It is accepted, and the patient is
 * notified.
 * @throws DomainError("not-found" | "forbidden" | "slot-taken" | "conflict")
 */
export async function moveAtPlace(
  ctx: Ctx<Actor>,
  { hospitalId, id, at }: { hospitalId: string; id: string; at: ProposedTime },
): Promise<void> {
  const { acting, practiceId } = await actForAppointment(ctx, hospitalId, id);
  await moveAppointment(acting, { id, at, practiceId });
}

/**
 * Proposes free times of the doctor at the member's place to the patient. The appointment stays as it is until the patient answers.
 * @throws DomainError("not-found" | "forbidden" | "slot-taken" | "conflict")
 */
export async function proposeAtPlace(
  ctx: Ctx<Actor>,
  { hospitalId, id, options }: { hospitalId: string; id: string; options: ProposedTime[] },
): Promise<void> {
  const { acting, practiceId } = await actForAppointment(ctx, hospitalId, id);
  await proposeTimes(acting, { id, options, practiceId });
}

/** Returns the free times to which `moveAtPlace` can move an appointment. @throws DomainError("not-found" | "forbidden") */
export async function viewChangeAtPlace(
  ctx: Ctx<Actor>,
  { hospitalId, ...booked }: ProposedTime & { hospitalId: string; id: string },
  request: Request,
): Promise<ChangeView> {
  const { acting, practiceId } = await actForAppointment(ctx, hospitalId, booked.id);
  return readChangeView(ctx, { doctorId: acting.actor.onBehalfOf.doctorId!, at: practiceId }, { ...booked, practiceId }, request);
}
