import { and, eq, sql } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { IS_CONFIRMING } from "#app/domains/booking/payments/confirming.server.ts";
import { PLACE_OF_VISIT, RECORDED_SINCE } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";

/** For whom the actor handles money: null as the doctor, otherwise the place. */
export type HandledFor = { hospitalId: string | null };

/** An appointment with what its payments depend on. */
const handled = {
  id: appointments.id,
  patientId: appointments.patientId,
  patientName: appointments.patientName,
  doctorId: appointments.doctorId,
  date: appointments.date,
  time: appointments.time,
  status: appointments.status,
  fee: appointments.fee,
  discount: appointments.discount,
  refundOwed: appointments.refundOwed,
  since: RECORDED_SINCE,
  placeId: PLACE_OF_VISIT,
  /** The place whose staff act for the doctor there. */
  staffedPlaceId: sql<string | null>`(select pd.hospital_id from place_doctors pd
    where pd.doctor_id = appointments.doctor_id and pd.state = 'active' and pd.hospital_id = ${PLACE_OF_VISIT})`,
  confirming: IS_CONFIRMING,
};

/**
 * Returns an appointment whose money the actor may handle, and the context of the command: as its doctor, or as a member of its place with the
 * permission. `lock` serializes changes of its payments. `receivedBy`: the merchant of a payment. A place handles what it received, also after the
 * doctor has left, and not what the doctor received.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function handledVisit(
  ctx: Ctx<Actor>,
  id: string | undefined,
  { hospitalId }: HandledFor,
  options: { lock?: boolean; receivedBy?: string | undefined } = {},
) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const found = ctx.db
    .select(handled)
    .from(appointments)
    .where(and(eq(appointments.id, id), hospitalId === null ? eq(appointments.doctorId, ctx.actor.userId) : undefined));
  // A place is checked before the row is locked: others cannot delay a change of it.
  const [seen] = await found;
  const { receivedBy } = options;
  if (!seen || (hospitalId !== null && (receivedBy ?? seen.placeId) !== hospitalId)) throw new DomainError("not-found");
  const acting =
    hospitalId === null ? ctx : await requireActing(ctx, hospitalId, "take-payment", seen.doctorId, { former: receivedBy !== undefined });
  const [visit] = options.lock ? await found.for("no key update") : [seen];
  return { visit: visit!, acting: acting as Ctx<Actor> };
}
