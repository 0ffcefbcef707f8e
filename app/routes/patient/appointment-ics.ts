import { placeOf } from "#app/domains/booking/appointments/own-words.ts";
import { getPatientAppointment } from "#app/domains/booking/appointments/queries.server.ts";
import { appointmentIcs } from "#app/domains/booking/appointments/schedule-ics.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { pathOf } from "#app/lib/targets.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Route } from "./+types/appointment-ics.ts";

export const middleware = [requireRole("patient")];

/** Returns an appointment for the patient's own calendar. */
export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const appointment = await getPatientAppointment(ctx, params.id);
  const place = [appointment.hospitalName, placeOf(appointment)].filter(Boolean).join(", ");
  const url = new URL(pathOf({ page: "patient-appointment", id: appointment.id }), env().appUrl).href;
  return new Response(
    appointmentIcs({ ...appointment, time: appointment.expectedTime ?? appointment.time, place }, { now: ctx.now, url }),
    {
      headers: {
        "Content-Type": "text/calendar; charset=utf-8",
        "Content-Disposition": 'attachment; filename="nadi-appointment.ics"',
        "Cache-Control": "no-store",
      },
    },
  );
});
