import { and, asc, eq, gte, inArray, isNotNull, lte } from "drizzle-orm";
import { appointmentProposals, appointments } from "#app/db/schema/index.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { allotTimes, type FreeTime, MAX_OPTIONS, type ProposedTime, whenWord } from "#app/domains/booking/appointments/proposal-times.ts";
import { moveAppointment, proposeTimes } from "#app/domains/booking/appointments/proposals.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import type { CancelReason } from "#app/domains/visit-reasons.ts";
import { openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { lockSessionsOf } from "#app/domains/waiting-room/queue/lock-session.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { BookedChoice, ComingVisit } from "./coming-visit.ts";

/** Which visits: of one practice or of all, in a span of days or from now on. */
export type WhichVisits = { practiceId?: string | null; from?: DateKey; until?: DateKey };

/** Returns the acting doctor's open appointments that start later, in order. */
export async function listComingVisitsOf(ctx: Ctx<Actor>, { practiceId, from, until }: WhichVisits): Promise<ComingVisit[]> {
  const rows = await ctx.db
    .select({
      id: appointments.id,
      practiceId: appointments.practiceId,
      patientName: appointments.patientName,
      date: appointments.date,
      time: appointments.time,
    })
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

/** What the doctor decided on the page about the appointments that it listed. */
export type Settlement = {
  /** The ids on the page. */
  visits: string[];
  booked: BookedChoice;
  /** For `move`: the new time of each, by its id. */
  moves: ReadonlyMap<string, ProposedTime>;
  /** Why the doctor is away. */
  reason: CancelReason;
};
export type Settled = { cancelled: number; moved: number; offered: number };
export const auditOf = ({ cancelled, moved, offered }: Settled) => ({
  visitsCancelled: cancelled,
  ...(moved && { visitsMoved: moved }),
  ...(offered && { visitsOffered: offered }),
});

/**
 * Cancels or moves the appointments that the doctor was shown, or offers their patients other times, and notifies the patients. Runs in the
 * transaction of `tx`, which has locked and removed the times. All or nothing.
 * @param free where they can move to
 * @throws DomainError("conflict") when patients booked or cancelled meanwhile, or a chosen time is gone
 */
export async function settleVisits(tx: Ctx<Actor>, which: WhichVisits, to: Settlement, free: FreeTime[]): Promise<Settled> {
  const done: Settled = { cancelled: 0, moved: 0, offered: 0 };
  if (to.booked === "keep") return done;
  const visits = await listComingVisitsOf(tx, which);
  if (visits.length !== new Set(to.visits).size || visits.some(({ id }) => !to.visits.includes(id)))
    throw new DomainError("conflict", m.practices_visits_changed());
  if (to.booked !== "cancel" && visits.length && !free.length) throw new DomainError("conflict", m.proposals_no_free());
  // In the order of their ids, as every command that locks several appointments.
  const ids = visits.map(({ id }) => id).sort();
  if (ids.length)
    await tx.db
      .select({ id: appointments.id })
      .from(appointments)
      .where(inArray(appointments.id, ids))
      .orderBy(asc(appointments.id))
      .for("no key update");
  await lockSessionsOf(tx, ids);
  const options = allotTimes(visits, free, MAX_OPTIONS);
  for (const id of ids)
    if (to.booked === "move") {
      await moveSeen(tx, id, to.moves.get(id));
      done.moved++;
    } else if (to.booked === "offer") {
      await proposeTimes(tx, { id, options: options.get(id) ?? [], away: to.reason });
      done.offered++;
    } else {
      await changeAppointment(tx, { id, action: "cancel", reason: to.reason });
      done.cancelled++;
    }
  return done;
}

/** Returns true when nothing is left of what the doctor decided: a second press. */
export async function isSettled(tx: Ctx<Actor>, which: WhichVisits, booked: BookedChoice): Promise<boolean> {
  if (booked === "keep") return true;
  const visits = await listComingVisitsOf(tx, which);
  if (booked !== "offer" || !visits.length) return !visits.length;
  const offered = and(
    inArray(
      appointmentProposals.appointmentId,
      visits.map(({ id }) => id),
    ),
    eq(appointmentProposals.state, "proposed"),
    isNotNull(appointmentProposals.awayReason),
  );
  return (await tx.db.$count(appointmentProposals, offered)) === visits.length;
}

/** @throws DomainError("conflict") when the time is gone: the page then lists the free times again */
async function moveSeen(tx: Ctx<Actor>, id: string, at: ProposedTime | undefined): Promise<void> {
  if (!at) throw new DomainError("conflict", m.practices_visits_changed());
  try {
    await moveAppointment(tx, { id, at });
  } catch (error) {
    if (error instanceof DomainError && error.code === "slot-taken")
      throw new DomainError("conflict", m.proposals_not_free({ when: whenWord(at) }), { cause: error });
    throw error;
  }
}
