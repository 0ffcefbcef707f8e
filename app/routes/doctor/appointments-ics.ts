import { listSchedule } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { scheduleIcs } from "#app/domains/booking/appointments/schedule-ics.ts";
import { getDoctorName } from "#app/domains/directory/doctors/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import type { Route } from "./+types/appointments-ics.ts";

/** Returns upcoming visits for the doctor's own calendar. */
export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const [visits, doctorName] = await Promise.all([listSchedule(ctx), getDoctorName(ctx)]);
  return new Response(scheduleIcs(visits, { now: ctx.now, origin: new URL(request.url).origin, doctorName }), {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'attachment; filename="nadi-schedule.ics"',
      "Cache-Control": "no-store",
    },
  });
});
