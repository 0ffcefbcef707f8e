import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { pathOf } from "#app/lib/targets.ts";
import { env } from "#app/runtime/env.server.ts";
import { placeOf } from "./own-words.ts";
import { getPatientAppointment } from "./queries.server.ts";
import { appointmentIcs } from "./schedule-ics.ts";

/** Returns an appointment of the acting patient as an iCalendar file. @throws DomainError("not-found") */
export async function getOwnCalendarFile(ctx: Ctx<Actor>, id: string | undefined): Promise<string> {
  const appointment = await getPatientAppointment(ctx, id);
  const place = [appointment.hospitalName, placeOf(appointment)].filter(Boolean).join(", ");
  const url = new URL(pathOf({ page: "patient-appointment", id: appointment.id }), env().appUrl).href;
  return appointmentIcs({ ...appointment, time: appointment.expectedTime ?? appointment.time, place }, { now: ctx.now, url });
}

/** Returns the calendar file of the appointment that a notification is about, for its reader. Null: not the reader's own appointment. */
export async function calendarFileFor(ctx: Ctx, userId: string, appointment: string | undefined): Promise<string | null> {
  try {
    return await getOwnCalendarFile({ ...ctx, actor: { userId, role: "patient" } }, appointment);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found") return null;
    throw error;
  }
}
