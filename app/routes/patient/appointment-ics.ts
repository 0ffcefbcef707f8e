import { getOwnCalendarFile } from "#app/domains/booking/appointments/own-calendar-file.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import type { Route } from "./+types/appointment-ics.ts";

/** Returns an appointment for the patient's own calendar. */
export const loader = load(
  async ({ context, params }: Route.LoaderArgs) =>
    new Response(await getOwnCalendarFile(actorCtxOf(context), params.id), {
      headers: {
        "Content-Type": "text/calendar; charset=utf-8",
        "Content-Disposition": 'attachment; filename="nadi-appointment.ics"',
        "Cache-Control": "no-store",
      },
    }),
);
