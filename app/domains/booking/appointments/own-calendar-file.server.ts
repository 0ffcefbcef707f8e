import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { addressOf } from "#app/integrations/email/address.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { pathOf } from "#app/lib/targets.ts";
import { env } from "#app/runtime/env.server.ts";
import { placeOf } from "./own-words.ts";
import { getPatientAppointment } from "./patient-queries.server.ts";
import { appointmentIcs, appointmentInvitation, type Invitation, type OwnVisit } from "./schedule-ics.ts";

/** Returns an appointment of the acting patient as an iCalendar file. @throws DomainError("not-found") */
export async function getOwnCalendarFile(ctx: Ctx<Actor>, id: string | undefined): Promise<string> {
  const { visit, url } = await ownVisit(ctx, id);
  return appointmentIcs(visit, { now: ctx.now, url });
}

async function ownVisit(ctx: Ctx<Actor>, id: string | undefined): Promise<{ visit: OwnVisit; url: string }> {
  const appointment = await getPatientAppointment(ctx, id);
  const place = [appointment.hospitalName, placeOf(appointment)].filter(Boolean).join(", ");
  const url = new URL(pathOf({ page: "patient-appointment", id: appointment.id }), env().appUrl).href;
  return { visit: { ...appointment, time: appointment.expectedTime ?? appointment.time, place }, url };
}

/** Returns the calendar message of the appointment that a notification is about, to its reader. Null: not the reader's own appointment. */
export async function invitationFor(
  ctx: Ctx,
  reader: { userId: string; email: string },
  appointment: string | undefined,
): Promise<Invitation | null> {
  try {
    const { visit, url } = await ownVisit({ ...ctx, actor: { userId: reader.userId, role: "patient" } }, appointment);
    return appointmentInvitation(visit, { now: ctx.now, url, organizer: addressOf(env().mail.from), attendee: reader.email });
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found") return null;
    throw error;
  }
}
