import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, hospitals, placeDoctors, practices, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type DateKey, type TimeKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { QueuePart } from "../queue/parts.ts";
import { type PlannedSession, planDay, readPlan } from "../queue/plan-day.server.ts";
import { listSessions } from "../queue/queries.server.ts";
import { listOwnTokens, type OwnToken, viewOwnToken } from "../token-page/own-tokens.server.ts";

/** A phone may bring several patients. */
export const MOST_TOKENS = 4;

type Visit = { doctor: string; date: DateKey; time: TimeKey; place: string | null };
export type Arrival = {
  tokens: OwnToken[];
  /** Requested for today and not yet accepted by the doctor. */
  pending: Visit | null;
  /** An accepted appointment of today whose queue has ended. */
  ended: Visit | null;
  /** An appointment of today somewhere else. */
  elsewhere: Visit | null;
  /** The next appointment at this place on another day. */
  later: Visit | null;
  /** Sessions that a patient without a booking can join. Empty where the place does not allow it, and with the most tokens. */
  joinable: { id: string; doctor: string; part: QueuePart; startsAt: TimeKey }[];
};

/** Returns the active practices of a place. */
export function listPlacePractices(ctx: Ctx, hospitalId: string): Promise<{ id: string; doctor: string }[]> {
  return ctx.db
    .select({ id: practices.id, doctor: inLanguage(doctors.fullName, doctors.translations, "name", language()) })
    .from(practices)
    .innerJoin(doctors, and(eq(doctors.id, practices.doctorId), listedDoctor(doctors)))
    .innerJoin(
      placeDoctors,
      and(eq(placeDoctors.doctorId, doctors.id), eq(placeDoctors.hospitalId, hospitalId), eq(placeDoctors.state, "active")),
    )
    .where(and(eq(practices.state, "active"), eq(placeOfPractice, hospitalId)))
    .orderBy(asc(doctors.fullName), asc(practices.id));
}

/** Returns the practices of the place where the patient has an accepted appointment today. */
async function listBookedPractices(ctx: Ctx<Actor>, here: readonly { id: string }[]): Promise<string[]> {
  if (!here.length) return [];
  const rows = await ctx.db
    .selectDistinct({ id: appointments.practiceId })
    .from(appointments)
    .where(
      and(
        eq(appointments.patientId, ctx.actor.userId),
        eq(appointments.date, todayInIndia(ctx.now)),
        eq(appointments.status, "accepted"),
        inArray(
          appointments.practiceId,
          here.map(({ id }) => id),
        ),
      ),
    );
  return rows.map(({ id }) => id);
}

/** Gives the patient's accepted appointments of today their tokens, as `getArrival` showed them, in case the job or staff have not. Idempotent. */
export async function planArrival(ctx: Ctx<Actor>, hospitalId: string): Promise<void> {
  const booked = await listBookedPractices(ctx, await listPlacePractices(ctx, hospitalId));
  for (const practiceId of booked) await planDay(ctx, { practiceId, date: todayInIndia(ctx.now) });
}

/** Returns what the patient has at a place today. An accepted appointment that has no token yet is shown with the one that planning gives it. */
export async function getArrival(ctx: Ctx<Actor>, place: { id: string; allowsWalkIns: boolean }): Promise<Arrival> {
  const today = todayInIndia(ctx.now);
  const here = await listPlacePractices(ctx, place.id);
  const ids = new Set(here.map(({ id }) => id));
  const visits = await ctx.db
    .select({
      id: appointments.id,
      practiceId: appointments.practiceId,
      status: appointments.status,
      date: appointments.date,
      time: appointments.time,
      doctor: inLanguage(doctors.fullName, doctors.translations, "name", language()),
      place: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", language())}`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(
      and(
        eq(appointments.patientId, ctx.actor.userId),
        gte(appointments.date, today),
        inArray(appointments.status, ["pending", "accepted"]),
      ),
    )
    .orderBy(asc(appointments.date), asc(appointments.time))
    .limit(50);
  const ofToday = visits.filter(({ date }) => date === today);
  const booked = new Set(await listBookedPractices(ctx, here));
  const plan: PlannedSession[] = [];
  for (const practiceId of booked) plan.push(...(await readPlan(ctx, { practiceId, date: today })));
  const shown = (visit: (typeof visits)[number] | undefined): Visit | null =>
    visit ? { doctor: visit.doctor, date: visit.date, time: visit.time.slice(0, 5), place: visit.place } : null;
  const coming = plan.flatMap(({ session, added }) =>
    added
      .filter(({ patientId }) => patientId === ctx.actor.userId)
      .map(({ id, number, appointmentId, dueAt }) => {
        const visit = ofToday.find((one) => one.id === appointmentId)!;
        const { doctor, place: at } = visit;
        const token = { id, sessionId: session.id, number, code: null, state: "expected", doctor, place: at, dueAt } as const;
        return viewOwnToken({ ...token, kind: "booked", session }, ctx.now);
      }),
  );
  const tokens: OwnToken[] = [...(await listOwnTokens(ctx, [...ids])), ...coming];
  const sessions =
    tokens.length > 0 ? [] : [...(await listSessions(ctx, [...booked])), ...plan.flatMap(({ session, isNew }) => (isNew ? session : []))];
  const hasOpen = (id: string) => sessions.some(({ practiceId, state, date }) => practiceId === id && date === today && state !== "closed");
  return {
    tokens,
    pending: shown(ofToday.find(({ status, practiceId }) => status === "pending" && ids.has(practiceId))),
    ended: tokens.length > 0 ? null : shown(ofToday.find(({ practiceId }) => booked.has(practiceId) && !hasOpen(practiceId))),
    elsewhere: shown(ofToday.find(({ practiceId, status }) => !ids.has(practiceId) && status === "accepted")),
    later: shown(visits.find(({ date, practiceId }) => date > today && ids.has(practiceId))),
    joinable: place.allowsWalkIns && tokens.length < MOST_TOKENS ? await listJoinable(ctx, here) : [],
  };
}

async function listJoinable(ctx: Ctx, here: { id: string; doctor: string }[]): Promise<Arrival["joinable"]> {
  const sessions = await listSessions(
    ctx,
    here.map(({ id }) => id),
  );
  return sessions
    .filter(({ state, date }) => state !== "closed" && date === todayInIndia(ctx.now))
    .map(({ id, practiceId, part, startsAt }) => ({
      id,
      part,
      startsAt: startsAt.slice(0, 5),
      doctor: here.find((practice) => practice.id === practiceId)!.doctor,
    }));
}

/** Checks that an entry belongs to the patient and to the place. @throws DomainError("not-found") */
export async function findOwnEntry(ctx: Ctx<Actor>, hospitalId: string, entryId: string): Promise<{ id: string; sessionId: string }> {
  const [row] = isUuid(entryId)
    ? await ctx.db
        .select({ id: queueEntries.id, sessionId: queueEntries.sessionId })
        .from(queueEntries)
        .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
        .innerJoin(practices, eq(practices.id, queueSessions.practiceId))
        .innerJoin(doctors, eq(doctors.id, practices.doctorId))
        .where(and(eq(queueEntries.id, entryId), eq(queueEntries.patientId, ctx.actor.userId), eq(placeOfPractice, hospitalId)))
    : [];
  if (!row) throw new DomainError("not-found");
  return row;
}
