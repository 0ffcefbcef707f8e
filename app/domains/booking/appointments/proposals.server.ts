import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { doctorNames } from "#app/db/in-language.server.ts";
import { appointmentProposals, appointments, doctors, practices } from "#app/db/schema/index.ts";
import { isOpen } from "#app/domains/appointment.state.ts";
import { lockWaitlistOfVisit } from "#app/domains/booking/waitlist/lock.server.ts";
import { type Actor, actsForDoctor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { CancelReason } from "#app/domains/visit-reasons.ts";
import { hasStarted, minuteInIndia } from "#app/domains/visit-time.ts";
import { instantInIndia, type TimeKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hours } from "#app/lib/durations.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { changeState, moveToSlot, sideOf, toFreeSlot } from "./change-appointment.server.ts";
import { listFreeTimes } from "./free-times.server.ts";
import { lapseProposals } from "./lapse-proposals.server.ts";
import { PROPOSAL_ACTIONS } from "./proposal.state.ts";
import { MAX_OPTIONS, type Proposal, type ProposedTime, timeValue, whenWord } from "./proposal-times.ts";
import { wrongStateWord } from "./words.ts";

/** How long a patient has to answer when the doctor is away at the booked time, unless that time or the last proposed one decides. */
const ANSWER_TIME = hours(48);

/** Returns the open proposal for an appointment; null for none. The caller has checked the owner. */
export async function findProposal(ctx: Ctx, appointmentId: string): Promise<Proposal | null> {
  const [row] = await ctx.db
    .select({
      id: appointmentProposals.id,
      options: appointmentProposals.options,
      away: appointmentProposals.awayReason,
      atDesk: appointmentProposals.atDesk,
      expiresAt: appointmentProposals.expiresAt,
      doctorId: appointments.doctorId,
      status: appointments.status,
    })
    .from(appointmentProposals)
    .innerJoin(appointments, eq(appointments.id, appointmentProposals.appointmentId))
    .where(and(eq(appointmentProposals.appointmentId, appointmentId), eq(appointmentProposals.state, "proposed")));
  if (!row || !isOpen(row) || row.expiresAt <= ctx.now) return null;
  const [free, places] = await Promise.all([
    listFreeTimes(ctx, { doctorId: row.doctorId, only: row.options }),
    ctx.db.$count(practices, and(eq(practices.doctorId, row.doctorId), eq(practices.state, "active"))),
  ]);
  const options = free.map(({ date, time, place }) => ({ date, time, place: places > 1 ? place : null }));
  return { id: row.id, options, away: row.away, atDesk: row.atDesk, until: minuteInIndia(row.expiresAt) };
}

export type ProposalInput = {
  id: string;
  options: ProposedTime[];
  /** The doctor is away at the booked time: the appointment is cancelled for this reason when the patient takes none. */
  away?: CancelReason;
  /** Only times of this practice. */
  practiceId?: string;
};
/**
 * Proposes one to three other free times to the patient of an appointment of the acting doctor, or of the doctor for whom a member acts. The appointment stays as it is. Replaces an earlier
 * proposal.
 * @throws DomainError("not-found" | "slot-taken" | "conflict")
 */
export function proposeTimes(ctx: Ctx<Actor>, { id, options, away, practiceId }: ProposalInput): Promise<void> {
  const { userId: doctorId } = sideOf(ctx.actor);
  return transact(ctx, async (tx) => {
    const visit = await lockVisit(tx, id, eq(appointments.doctorId, doctorId));
    if (!isOpen(visit)) throw new DomainError("conflict", wrongStateWord("take-proposal", visit.status));
    if (hasStarted(tx.now, visit)) throw new DomainError("conflict", m.proposals_started());
    const times = [...new Map(options.map((option) => [timeValue(option), option])).values()].sort((a, b) =>
      timeValue(a) < timeValue(b) ? -1 : 1,
    );
    if (!times.length || times.length > MAX_OPTIONS) throw new DomainError("invalid", m.proposals_choose());
    if (times.some((option) => timeValue(option) === timeValue(visit))) throw new DomainError("conflict", m.proposals_same());
    const free = new Set(
      (await listFreeTimes(tx, { doctorId: visit.doctorId, only: times, ...(practiceId && { at: practiceId }) })).map(timeValue),
    );
    const gone = times.find((option) => !free.has(timeValue(option)));
    if (gone) throw new DomainError("slot-taken", m.proposals_not_free({ when: whenWord(gone) }));
    await lapseProposals(tx, visit);
    const expiresAt = answerUntil(tx.now, visit, times, away !== undefined);
    const atDesk = actsForDoctor(tx.actor);
    const [made] = await tx.db
      .insert(appointmentProposals)
      .values({ appointmentId: id, options: times, awayReason: away ?? null, atDesk, expiresAt, createdAt: tx.now })
      .returning({ id: appointmentProposals.id });
    const until = minuteInIndia(expiresAt);
    const params = {
      ...wordsOf(visit),
      options: times.map(timeValue).join(","),
      untilDate: until.date,
      untilTime: until.time,
      ...(away && { why: away }),
      ...(atDesk && { by: "clinic" }),
    };
    const kind = away ? "time-proposed-away" : "time-proposed";
    await recordChange(tx, "proposal.propose", {
      subject: { proposal: made!.id, appointment: id },
      people: { patient: visit.patientId, doctor: visit.doctorId, actor: doctorId },
      data: { to: "proposed" },
      details: { slots: times.map(timeValue).join(", ") },
      notify: { patient: { kind, params, target: { page: "patient-appointment", id } } },
    });
  });
}

/** Returns the end of a proposal: the start of the last time, or earlier. A doctor who is away waits at least two days, also after the booked time. */
function answerUntil(now: Date, visit: ProposedTime, times: ProposedTime[], away: boolean): Date {
  const instant = (at: ProposedTime) => instantInIndia(at.date, at.time).getTime();
  const last = Math.max(...times.map(instant));
  const limit = away ? Math.max(instant(visit), now.getTime() + ANSWER_TIME) : instant(visit);
  return new Date(Math.min(last, limit));
}

/**
 * Moves the acting patient's appointment to one of the proposed times, accepted, and frees the old time. A second press does nothing.
 * @throws DomainError("not-found" | "slot-taken" | "conflict")
 */
export async function takeProposal(ctx: Ctx<Actor>, input: { id: string; proposal: string; at: ProposedTime }): Promise<void> {
  const { id, proposal, at } = input;
  if (!isUuid(id) || !isUuid(proposal)) throw new DomainError("not-found");
  const [own] = await ctx.db
    .select({
      doctorId: appointments.doctorId,
      options: appointmentProposals.options,
      state: appointmentProposals.state,
      date: appointments.date,
      time: sql<TimeKey>`to_char(${appointments.time}, 'HH24:MI')`,
    })
    .from(appointmentProposals)
    .innerJoin(appointments, eq(appointments.id, appointmentProposals.appointmentId))
    .where(and(eq(appointmentProposals.id, proposal), eq(appointments.id, id), eq(appointments.patientId, ctx.actor.userId)));
  if (!own?.options.some((option) => timeValue(option) === timeValue(at))) throw new DomainError("not-found");
  if (own.state === "taken" && timeValue(own) === timeValue(at)) return;
  await toFreeSlot(ctx, { doctorId: own.doctorId }, at, async (tx, slot) => {
    if (await endProposal(tx, { id, proposal, at }, "take"))
      await moveToSlot(tx, id, "take-proposal", slot, { acceptedAt: tx.now, movedAt: null }, { late: true });
  });
}

/**
 * Declines the proposed times for the acting patient. The appointment keeps its time; while the doctor is away then, it is cancelled. A second
 * press does nothing.
 * @throws DomainError("not-found" | "conflict")
 */
export function declineProposal(ctx: Ctx<Actor>, input: { id: string; proposal: string }): Promise<void> {
  return transact(ctx, async (tx) => {
    const ended = await endProposal(tx, input, "decline");
    if (!ended) return;
    const { visit, away, atDesk } = ended;
    if (away) {
      await changeState(tx, input.id, "cancel", { cancelledAt: tx.now, cancelledBy: "doctor", cancelReason: away }, { late: true, atDesk });
      return;
    }
    await recordChange(tx, "decline-proposal", {
      subject: { appointment: input.id },
      people: { patient: visit.patientId, doctor: visit.doctorId },
      notify: { doctor: { params: wordsOf(visit), target: { page: "doctor-visit", id: input.id } } },
    });
  });
}

/**
 * Ends an open proposal with the patient's answer. Locks the appointment first, as every change of it does. @returns null when the same answer
 * was given already
 */
async function endProposal(tx: Ctx<Actor>, input: { id: string; proposal: string; at?: ProposedTime }, action: "take" | "decline") {
  const visit = await lockVisit(tx, input.id, eq(appointments.patientId, tx.actor.userId));
  if (!isUuid(input.proposal)) throw new DomainError("not-found");
  const [ended] = await tx.db
    .update(appointmentProposals)
    .set({ state: PROPOSAL_ACTIONS[action].to, endedAt: tx.now })
    .where(
      and(
        eq(appointmentProposals.id, input.proposal),
        eq(appointmentProposals.appointmentId, input.id),
        eq(appointmentProposals.state, "proposed"),
      ),
    )
    .returning({
      id: appointmentProposals.id,
      away: appointmentProposals.awayReason,
      atDesk: appointmentProposals.atDesk,
      expiresAt: appointmentProposals.expiresAt,
    });
  if (!ended) {
    const answered = and(eq(appointmentProposals.id, input.proposal), eq(appointmentProposals.appointmentId, input.id));
    const same = !input.at || timeValue(input.at) === timeValue(visit);
    if (same && (await tx.db.$count(appointmentProposals, and(answered, eq(appointmentProposals.state, PROPOSAL_ACTIONS[action].to)))))
      return null;
  }
  if (!ended || ended.expiresAt <= tx.now) throw new DomainError("conflict", m.proposals_ended());
  await recordChange(tx, `proposal.${action}`, {
    subject: { proposal: ended.id },
    people: { doctor: visit.doctorId },
    data: { to: PROPOSAL_ACTIONS[action].to },
  });
  return { visit, away: ended.away, atDesk: ended.atDesk };
}

/**
 * Ends the proposals that have expired. Cancels the appointment when the doctor is away at its time. @returns how many
 */
export async function lapseExpiredProposals(ctx: Ctx): Promise<number> {
  const due = and(eq(appointmentProposals.state, "proposed"), lte(appointmentProposals.expiresAt, ctx.now));
  const expired = await ctx.db
    .select({
      id: appointments.id,
      doctorId: appointments.doctorId,
      proposal: appointmentProposals.id,
      away: appointmentProposals.awayReason,
      atDesk: appointmentProposals.atDesk,
    })
    .from(appointmentProposals)
    .innerJoin(appointments, eq(appointments.id, appointmentProposals.appointmentId))
    .where(due)
    .orderBy(asc(appointmentProposals.expiresAt))
    .limit(500);
  let ended = 0;
  await forEachAlone(expired, ({ id, doctorId, proposal, away, atDesk }) =>
    transact({ ...ctx, actor: { userId: doctorId, role: "doctor" as const } }, async (tx) => {
      const visit = await lockVisit(tx, id, eq(appointments.doctorId, doctorId));
      const [still] = await tx.db
        .select({ id: appointmentProposals.id })
        .from(appointmentProposals)
        .where(and(eq(appointmentProposals.id, proposal), due));
      // Answered, replaced or cancelled while this waited.
      if (!still) return;
      if (away && isOpen(visit))
        await changeState(tx, id, "cancel", { cancelledAt: tx.now, cancelledBy: "doctor", cancelReason: away }, { atDesk });
      else await lapseProposals(tx, visit);
      ended++;
    }),
  );
  return ended;
}

/**
 * Moves an appointment of the acting doctor to another free time, in any of their practices or in the given one. It is accepted, keeps its fee, and its patient may cancel
 * until the start.
 * @throws DomainError("not-found" | "slot-taken" | "conflict")
 */
export async function moveAppointment(
  ctx: Ctx<Actor>,
  { id, at, practiceId }: { id: string; at: ProposedTime; practiceId?: string },
): Promise<void> {
  const own = eq(appointments.doctorId, sideOf(ctx.actor).userId);
  if (!isUuid(id)) throw new DomainError("not-found");
  const [found] = await ctx.db
    .select({ doctorId: appointments.doctorId })
    .from(appointments)
    .where(and(eq(appointments.id, id), own));
  if (!found) throw new DomainError("not-found");
  await toFreeSlot(ctx, { ...found, ...(practiceId && { practiceId }) }, at, async (tx, slot) => {
    const visit = await lockVisit(tx, id, own);
    if (isOpen(visit) && hasStarted(tx.now, visit)) throw new DomainError("conflict", m.proposals_started());
    if (timeValue(at) === timeValue(visit)) throw new DomainError("conflict", m.proposals_same());
    const notice = { fromDate: visit.date, fromTime: visit.time };
    await moveToSlot(tx, id, "move", slot, { acceptedAt: tx.now, movedAt: tx.now }, { notice });
  });
}

type Visit = Awaited<ReturnType<typeof lockVisit>>;
/** Locks an appointment. @throws DomainError("not-found") when it is not `own` */
async function lockVisit(tx: Ctx<Actor>, id: string, own: SQL) {
  if (!isUuid(id)) throw new DomainError("not-found");
  // Before the appointment, as every command that frees a time.
  await lockWaitlistOfVisit(tx, id);
  const [visit] = await tx.db
    .select({
      id: appointments.id,
      status: appointments.status,
      date: appointments.date,
      time: appointments.time,
      doctorId: appointments.doctorId,
      patientId: appointments.patientId,
      patient: appointments.patientName,
    })
    .from(appointments)
    .where(and(eq(appointments.id, id), own))
    .for("no key update");
  if (!visit) throw new DomainError("not-found");
  const [doctor] = await tx.db.select(doctorNames).from(doctors).where(eq(doctors.id, visit.doctorId));
  return { ...visit, time: visit.time.slice(0, 5), names: doctorParams(doctor) };
}
const wordsOf = ({ id, names, patient, date, time }: Visit) => ({ ...names, patient, date, time, appointment: id });
