import { and, eq, inArray } from "drizzle-orm";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { Token } from "#app/domains/token-words.ts";
import { type DateKey, instantInIndia, type TimeKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { addEntry, personKeyOf } from "./add-entry.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { issueNumber } from "./issue-number.server.ts";
import { lockSession, lockSessionsById, type QueueSession } from "./lock-session.server.ts";
import { partOfStart } from "./parts.ts";
import { ensureSessionId } from "./plan-day.server.ts";
import { queueChanged } from "./queue-changed.server.ts";
import { endOfSession, expectedTimeOf, type TokenTime } from "./token-time.ts";

/** A session of a practice that patients book. */
export type TokenSlot = TokenTime & { practiceId: string; date: DateKey };
export type TokenPatient = { patientId: string; name: string; phone: Phone; age: number; birthDate: DateKey | null; gender: Gender };
/** A token that is reserved for an appointment until the end of the transaction. `columns`: what the appointment stores. */
export type ReservedToken = {
  session: QueueSession;
  /** The patient is in the queue already: they walked in before they booked. */
  entryId: string | null;
  patient: TokenPatient;
  date: DateKey;
  columns: { queueSessionId: string; token: number; expectedTime: TimeKey };
};

/** Returns what a notification states of a token. */
export const tokenParams = (of: Partial<Token> | undefined): { token?: string; expected?: string } =>
  of?.token && of.expectedTime ? { token: String(of.token), expected: of.expectedTime.slice(0, 5) } : {};

/** The columns of an appointment with a time of its own. */
export const NO_TOKEN = { queueSessionId: null, token: null, expectedTime: null };

/**
 * Locks a session and gives out its next token. The caller then writes the appointment with `columns`, whose trigger refuses more tokens than
 * the session has seats, and afterwards calls `addTokenEntry`. `from`: the session of the appointment that moves here; the caller has locked the appointment.
 * @throws DomainError("conflict" when the session is closed, or the patient has a token in it)
 */
export async function reserveToken(tx: Ctx, slot: TokenSlot, patient: TokenPatient, from?: string | null): Promise<ReservedToken> {
  const { practiceId, date, time, seats } = slot;
  const until = endOfSession(slot);
  const id = await ensureSessionId(tx, { practiceId, date, part: { part: partOfStart(time), from: time, until } });
  if (id === from) throw new DomainError("conflict", m.queue_same_session());
  // In the order of their ids, as every command that changes two sessions.
  if (from) await lockSessionsById(tx, [id, from]);
  const session = await lockSession(tx, id);
  if (session.state === "closed") throw new DomainError("conflict", m.queue_booking_closed());
  // The hours may have been changed since the session was planned.
  await tx.db
    .update(queueSessions)
    .set({ seats, ...(session.state === "planned" && { startsAt: time, endsAt: until }), updatedAt: tx.now })
    .where(eq(queueSessions.id, id));
  const [known] = await tx.db
    .select({ id: queueEntries.id, number: queueEntries.number, appointmentId: queueEntries.appointmentId })
    .from(queueEntries)
    .where(
      and(
        eq(queueEntries.sessionId, id),
        eq(queueEntries.personKey, personKeyOf(patient.phone, patient.name)),
        inArray(queueEntries.state, [...LIVE_STATES]),
      ),
    );
  // The patient's own second press is answered by the index of appointments.
  if (known?.appointmentId && !(await isOwn(tx, known.appointmentId, patient.patientId)))
    throw new DomainError("conflict", m.queue_person_has_token());
  const token = known && !known.appointmentId ? known.number : await issueNumber(tx, id);
  return {
    session,
    entryId: known && !known.appointmentId ? known.id : null,
    patient,
    date,
    columns: { queueSessionId: id, token, expectedTime: expectedTimeOf(slot, token) },
  };
}

const isOwn = async (tx: Ctx, id: string, patientId: string): Promise<boolean> =>
  (await tx.db.$count(appointments, and(eq(appointments.id, id), eq(appointments.patientId, patientId)))) > 0;

/** Puts an appointment with a reserved token into the queue of its session. */
export async function addTokenEntry(tx: Ctx, reserved: ReservedToken, appointmentId: string): Promise<void> {
  const { session, entryId, patient, date, columns } = reserved;
  if (entryId)
    await tx.db
      .update(queueEntries)
      .set({ appointmentId, patientId: patient.patientId, updatedAt: tx.now })
      .where(eq(queueEntries.id, entryId));
  else
    await addEntry(tx, {
      ...patient,
      session,
      number: columns.token,
      kind: "booked",
      state: "expected",
      appointmentId,
      dueAt: instantInIndia(date, columns.expectedTime),
    });
  await queueChanged(tx, session);
}
