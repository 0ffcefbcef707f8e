import { and, asc, eq, gte, inArray, lte } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import type { CancelReason } from "#app/domains/visit-reasons.ts";
import { openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { ComingVisit } from "./coming-visit.ts";

/** Which visits: of one practice or of all, in a span of days or from now on. */
export type WhichVisits = { practiceId?: string | null; from?: DateKey; until?: DateKey };

/** Returns the acting doctor's open appointments that start later, in order. */
export async function listComingVisitsOf(ctx: Ctx<Actor>, { practiceId, from, until }: WhichVisits): Promise<ComingVisit[]> {
  const rows = await ctx.db
    .select({ id: appointments.id, patientName: appointments.patientName, date: appointments.date, time: appointments.time })
    .from(appointments)
    .where(
      and(
        eq(appointments.doctorId, ctx.actor.userId),
        openVisit(appointments),
        startsLater(appointments, minuteInIndia(ctx.now)),
        practiceId ? eq(appointments.practiceId, practiceId) : undefined,
        from ? gte(appointments.date, from) : undefined,
        until ? lte(appointments.date, until) : undefined,
      ),
    )
    .orderBy(asc(appointments.date), asc(appointments.time));
  return rows.map((row) => ({ ...row, time: row.time.slice(0, 5), patientName: patientNameWord(row.patientName) }));
}

/**
 * Cancels the appointments that the doctor was shown, and notifies their patients. Runs in the transaction of `tx`, which has locked the times.
 * @param seen the ids on the page. Another appointment than these: nothing is cancelled
 * @throws DomainError("conflict") when patients booked or cancelled meanwhile
 */
export async function cancelSeenVisits(tx: Ctx<Actor>, which: WhichVisits, seen: string[], why: CancelReason): Promise<number> {
  const visits = await listComingVisitsOf(tx, which);
  if (visits.length !== new Set(seen).size || visits.some(({ id }) => !seen.includes(id)))
    throw new DomainError("conflict", m.practices_visits_changed());
  // In the order of their ids, as every command that locks several appointments.
  const ids = visits.map(({ id }) => id).sort();
  if (ids.length)
    await tx.db
      .select({ id: appointments.id })
      .from(appointments)
      .where(inArray(appointments.id, ids))
      .orderBy(asc(appointments.id))
      .for("update");
  for (const id of ids) await changeAppointment(tx, { id, action: "cancel", reason: why });
  return ids.length;
}
