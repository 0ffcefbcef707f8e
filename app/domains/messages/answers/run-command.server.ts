import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import {
  appointments,
  familyMembers,
  hospitals,
  memberships,
  patients,
  placeDoctors,
  practices,
  shortNames,
  users,
  waitlistEntries,
  waitlistOffers,
} from "#app/db/schema/index.ts";
import { bookAppointment } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { changeAppointment, rescheduleAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { NO_REASON } from "#app/domains/booking/appointments/choices.ts";
import { listFreeDays, listFreeTimes } from "#app/domains/booking/appointments/free-times.server.ts";
import { takeOffer } from "#app/domains/booking/appointments/take-offer.server.ts";
import { requiresPrepayment } from "#app/domains/booking/cancellation/policies.server.ts";
import { passOffer } from "#app/domains/booking/waitlist/answer-offer.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import type { Near } from "#app/domains/directory/near.ts";
import { findSearchDanger } from "#app/domains/guidance/emergency/find-danger.server.ts";
import { DEFAULT_PLACE } from "#app/domains/patients/profile/queries.server.ts";
import { hasPermission } from "#app/domains/places/members/permissions.ts";
import { recordConsent } from "#app/domains/platform/accounts/consent.server.ts";
import { NOTICE } from "#app/domains/platform/accounts/privacy-notice.ts";
import { ensureCallersAccount } from "#app/domains/platform/accounts/unclaimed-account.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { hasStopped, setStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { isReschedulable } from "#app/domains/visit-time.ts";
import { listOwnTokens } from "#app/domains/waiting-room/token-page/own-tokens.server.ts";
import { estimateRows } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { readSnapshot } from "#app/domains/waiting-room/token-page/snapshot.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError, type RefusalCode } from "#app/lib/domain-error.ts";
import type { Language } from "#app/lib/language.ts";
import { plainName } from "#app/lib/plain-name.ts";
import { type Gender, MEMBER_ROLES, type MessageChannel } from "#app/lib/vocabulary.ts";
import type { Command, Outcome } from "../conversation/conversation.ts";
import { findOwnAppointment, listDoctorRefs } from "./refs.server.ts";

/** The conversation for which a command runs. `text`: the message that led to it. */
export type Of = {
  threadId: string;
  channel: MessageChannel;
  phone: string;
  language: Language | null;
  doctorId: string | null;
  hospitalId: string | null;
  text: string;
};
type Does<D extends Command["do"]> = Extract<Command, { do: D }>;
type Handler<D extends Command["do"]> = (ctx: Ctx, command: Does<D>, of: Of) => Promise<Outcome>;

/** Runs a command of a conversation: those of the pages, for the account of the phone. @throws what is worth a retry */
export const runCommand = (ctx: Ctx, command: Command, of: Of): Promise<Outcome> =>
  (RUN[command.do] as Handler<Command["do"]>)(ctx, command as never, of);

/** The account of a phone; none where it is disabled. */
export const ownerOf = ({ db }: Ctx, phone: string | SQL) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "patient"), eq(users.phone, phone), eq(users.status, "active")));
/** Returns the context of the account of a phone; null while it has none, or where it is disabled. */
export async function actingOwner(ctx: Ctx, { phone, channel }: Pick<Of, "phone" | "channel">): Promise<Ctx<Actor> | null> {
  const [user] = await ownerOf(ctx, phone);
  return user ? { ...ctx, actor: { userId: user.id, role: "patient", channel } } : null;
}

/** Converts the refusals of a command. @throws others */
async function refusedAs(work: () => Promise<Outcome>, as: Partial<Record<RefusalCode, Outcome["is"]>>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    const is = error instanceof DomainError ? as[error.code] : undefined;
    if (!is) throw error;
    return { is } as Outcome;
  }
}

const RUN: { [D in Command["do"]]: Handler<D> } = {
  async "find-danger"(ctx, _, { text, hospitalId }) {
    if (!hospitalId) return { is: "danger", hospital: null };
    // 108 and 112 are sent whatever fails.
    const danger = await transact(ctx, async (own) => findSearchDanger(own, text, await nearOf(own, hospitalId))).catch(() => null);
    const hospital = danger?.hospital;
    return { is: "danger", hospital: hospital ? { name: hospital.name, phone: hospital.phone } : null };
  },
  async "find-doctors"(ctx, { text, most }, { hospitalId }) {
    const near = await nearOf(ctx, hospitalId);
    const { doctors } = await listDoctors(ctx, { text, near, limit: most });
    const ids = doctors.map(({ id, practiceId }) => practiceId ?? id);
    const refs = ids.length ? await listDoctorRefs(ctx, inArray(practices.id, ids)) : [];
    return { is: "doctors", doctors: ids.flatMap((id) => refs.find(({ practiceId }) => practiceId === id) ?? []) };
  },
  async "find-times"(ctx, { doctor, day, most, move }, of) {
    if (move) {
      const tooLate = await whyNotMovable(ctx, move.id, of);
      if (tooLate) return tooLate;
    } else if (await requiresPrepayment(ctx, doctor)) return { is: "prepaid" };
    const free = await listFreeTimes(ctx, { doctorId: doctor.doctorId, at: doctor.practiceId, ...(day && { on: day }) });
    const first = day ?? free[0]?.date;
    const times = free.filter(({ date, time }) => date === first && !(move && date === move.at.date && time === move.at.time));
    return { is: "times", times: spread(times, most).map(({ date, time }) => ({ date, time })) };
  },
  async "find-days"(ctx, { doctor, after, most }) {
    const free = await listFreeDays(ctx, { doctorId: doctor.doctorId, at: doctor.practiceId, after }, most);
    return { is: "days", days: free.map(({ date }) => date) };
  },
  book: (ctx, command, of) => book(ctx, command, of),
  async cancel(ctx, { appointment }, of) {
    const acting = await actingOwner(ctx, of);
    const own = acting && (await findOwnAppointment(acting, appointment.id));
    if (!own) return { is: "gone" };
    if (!own.appointment.cancelUntil) return { is: "too-late", phone: own.phone };
    return refusedAs(
      async () => {
        await changeAppointment(acting, { id: appointment.id, action: "cancel" });
        return { is: "done" };
      },
      { "not-found": "gone", conflict: "gone" },
    );
  },
  async move(ctx, { appointment, to }, of) {
    const acting = await actingOwner(ctx, of);
    const tooLate = await whyNotMovable(ctx, appointment.id, of);
    if (tooLate || !acting) return tooLate ?? { is: "gone" };
    return refusedAs(
      async () => {
        await rescheduleAppointment(acting, { id: appointment.id, ...to });
        const moved = await findOwnAppointment(acting, appointment.id);
        return { is: "appointment", appointment: moved?.appointment ?? null };
      },
      { "slot-taken": "taken", "not-found": "gone", conflict: "gone" },
    );
  },
  "take-offer": (ctx, { offer }, of) => answerOffer(ctx, of, offer.id, (acting) => takeOffer(acting, offer.id)),
  "pass-offer": (ctx, { offer }, of) => answerOffer(ctx, of, offer.id, (acting) => passOffer(acting, offer.id)),
  async "find-next"(ctx, _, of) {
    const acting = await actingOwner(ctx, of);
    return { is: "appointment", appointment: (acting && (await findOwnAppointment(acting)))?.appointment ?? null };
  },
  async "find-token"(ctx, _, of) {
    const acting = await actingOwner(ctx, of);
    const [token] = acting ? await listOwnTokens(acting) : [];
    if (!token) return { is: "token", token: null };
    const [expected, { queue }] = await Promise.all([estimateRows(ctx, token.sessionId, null), readSnapshot(ctx, token.sessionId)]);
    const seeing = queue.withDoctor?.number ?? null;
    return { is: "token", token: { number: token.number, seeing, expected: expected[token.id]?.from ?? null, doctor: token.doctor } };
  },
  async confirm(ctx, { appointment }, of) {
    const acting = await actingOwner(ctx, of);
    return { is: "appointment", appointment: (acting && (await findOwnAppointment(acting, appointment.id)))?.appointment ?? null };
  },
  async "find-address"(ctx, { hospitalId: wanted }, of) {
    const acting = await actingOwner(ctx, of);
    const next = acting && wanted === undefined ? await findOwnAppointment(acting) : null;
    const hospitalId = wanted ?? next?.appointment.doctor.hospitalId ?? of.hospitalId;
    if (!hospitalId) return { is: "address", place: null };
    const [place] = await ctx.db
      .select({ name: hospitals.name, slug: shortNames.slug })
      .from(hospitals)
      .innerJoin(shortNames, and(eq(shortNames.hospitalId, hospitals.id), shortNames.isCurrent))
      .where(eq(hospitals.id, hospitalId));
    return { is: "address", place: place ?? null };
  },
  stop: (ctx, _, of) => stop(ctx, of, true),
  start: (ctx, _, of) => stop(ctx, of, false),
  async "pass-on"(ctx, _, of) {
    const acting = of.hospitalId === null ? await actingOwner(ctx, of) : null;
    const doctor = (acting && (await findOwnAppointment(acting)))?.appointment.doctor ?? null;
    const { doctorId, hospitalId } = doctor ?? of;
    return { is: "place", doctor, ...(await findClinic(ctx, hospitalId, doctorId)) };
  },
};

/** Notes it for the account of the phone, if there is one. A repeated STOP changes nothing. */
async function stop(ctx: Ctx, of: Of, stopped: boolean): Promise<Outcome> {
  if ((await hasStopped(ctx, of.phone)) === stopped) return { is: "done" };
  await setStopped(ctx, of.phone, stopped);
  const acting = await actingOwner(ctx, of);
  await recordChange(acting ?? ctx, stopped ? "stop-messages" : "start-messages", {
    subject: { "message-thread": of.threadId },
    people: { patient: acting?.actor.userId ?? null },
  });
  return { is: "done" };
}

/** Returns whether a member of a clinic can answer about this doctor, and its phone. */
async function findClinic(
  ctx: Ctx,
  hospitalId: string | null,
  doctorId: string | null,
): Promise<{ reachable: boolean; phone: string | null }> {
  if (!hospitalId) return { reachable: false, phone: null };
  const roles = MEMBER_ROLES.filter((role) => hasPermission(role, "change-appointments"));
  const [row] = await ctx.db
    .select({
      phone: hospitals.phone,
      // Drizzle writes the columns of the only table without its name, which others of the inner queries have too.
      reachable: sql<boolean>`hospitals.status = 'active' and exists (select from ${memberships} m join ${users} u on u.id = m.user_id and u.status = 'active'
        where m.hospital_id = hospitals.id and m.state = 'active' and m.role = any(string_to_array(${roles.join("|")}, '|'))
          and (cardinality(m.doctor_ids) = 0 or ${doctorId}::uuid = any(m.doctor_ids)))
        and (${doctorId}::uuid is null or exists (select from ${placeDoctors} p where p.hospital_id = hospitals.id and p.doctor_id = ${doctorId}::uuid and p.state = 'active'))`,
    })
    .from(hospitals)
    .where(eq(hospitals.id, hospitalId));
  return row ?? { reachable: false, phone: null };
}

const answerOffer = async (ctx: Ctx, of: Of, offerId: string, answer: (acting: Ctx<Actor>) => Promise<unknown>): Promise<Outcome> => {
  const acting = await actingOwner(ctx, of);
  if (!acting) return { is: "gone" };
  const outcome = await refusedAs(
    async () => {
      await answer(acting);
      return { is: "done" };
    },
    { "not-found": "gone", conflict: "over" },
  );
  if (outcome.is !== "over") return outcome;
  const [entry] = await ctx.db
    .select({ state: waitlistEntries.state })
    .from(waitlistEntries)
    .innerJoin(waitlistOffers, eq(waitlistOffers.entryId, waitlistEntries.id))
    .where(eq(waitlistOffers.id, offerId));
  return { is: entry && entry.state !== "ended" && entry.state !== "taken" ? "over" : "gone" };
};

/** Returns where a sender is: near the clinic of the conversation, otherwise in the default city. */
async function nearOf(ctx: Ctx, hospitalId: string | null): Promise<Near> {
  if (!hospitalId) return DEFAULT_PLACE;
  const [row] = await ctx.db
    .select({ latitude: hospitals.latitude, longitude: hospitals.longitude })
    .from(hospitals)
    .where(eq(hospitals.id, hospitalId));
  return row?.latitude != null && row.longitude != null ? { latitude: row.latitude, longitude: row.longitude } : DEFAULT_PLACE;
}

async function whyNotMovable(ctx: Ctx, id: string, of: Of): Promise<Outcome | null> {
  const acting = await actingOwner(ctx, of);
  const own = acting && (await findOwnAppointment(acting, id));
  if (!own) return { is: "gone" };
  const { at } = own.appointment;
  return isReschedulable(ctx.now, { ...at, status: "accepted", doctorDelisted: false }) ? null : { is: "too-late", phone: own.phone };
}

/** Returns a few of the times of a day, from its first to its last. */
function spread<T>(times: T[], most: number): T[] {
  if (times.length <= most) return times;
  return Array.from({ length: most }, (_, i) => times[Math.round((i * (times.length - 1)) / Math.max(1, most - 1))]!);
}

/** Books as the pages do, for the account of the phone, which a new phone gets. */
async function book(ctx: Ctx, { doctor, at, name, age, gender, key }: Does<"book">, of: Of): Promise<Outcome> {
  const { doctorId, practiceId } = doctor;
  if (await requiresPrepayment(ctx, { doctorId, ...at })) return { is: "prepaid" };
  const account = await ensureCallersAccount(ctx, of.phone);
  const acting = await actingOwner(ctx, of);
  if (!acting) return { is: "gone" };
  await recordConsent(acting, account.id, NOTICE);
  if (of.language)
    await ctx.db
      .update(users)
      .set({ language: of.language })
      .where(and(eq(users.id, account.id), sql`${users.language} is null`));
  const known = age === null || gender === null ? await findKnownPerson(acting, name) : null;
  const person = { age: age ?? known?.age, gender: gender ?? known?.gender, dateOfBirth: known?.birthDate ?? undefined };
  if ((person.age === undefined && person.dateOfBirth === undefined) || !person.gender) return { is: "unknown-patient" };
  return refusedAs(
    async () => {
      const { id } = await bookAppointment(acting, {
        ...{ doctorId, practiceId, ...at, name, phone: of.phone, ...person, gender: person.gender! },
        reason: NO_REASON,
        records: [],
        idempotencyKey: `message-${of.threadId}-${key}`,
        smsUpdates: true,
      });
      const booked = await findOwnAppointment(acting, id);
      return booked ? { is: "appointment", appointment: booked.appointment } : { is: "gone" };
    },
    { "slot-taken": "taken", conflict: "taken", "too-many": "limit", "not-found": "gone", invalid: "unknown-patient" },
  );
}

/** Earlier appointments of an account in which a name is looked for. */
const RECENT = 100;
/**
 * Returns the age and the gender of a patient whom the account knows by this name: the owner, the family, or of an earlier appointment. null: none,
 * or two of one name.
 */
async function findKnownPerson(
  { db, actor }: Ctx<Actor>,
  name: string,
): Promise<{ age?: number; birthDate: DateKey | null; gender: Gender | undefined } | null> {
  const isSame = (one: { name: string | null }) => plainName(one.name) === plainName(name);
  const columns = {
    name: sql<string | null>`name`,
    birthDate: sql<DateKey | null>`date_of_birth::text`,
    gender: sql<Gender | null>`gender`,
  };
  const family = db.select(columns).from(familyMembers).where(eq(familyMembers.patientId, actor.userId));
  const people = await db.select(columns).from(patients).where(eq(patients.id, actor.userId)).unionAll(family);
  const [stored, twin] = people.filter(isSame);
  if (twin) return null;
  if (stored?.birthDate && stored.gender) return { birthDate: stored.birthDate, gender: stored.gender };
  const visits = await db
    .select({
      name: appointments.patientName,
      age: appointments.patientAge,
      birthDate: appointments.patientBirthDate,
      gender: appointments.patientGender,
    })
    .from(appointments)
    .where(eq(appointments.patientId, actor.userId))
    .orderBy(desc(appointments.createdAt))
    .limit(RECENT);
  return visits.find(isSame) ?? null;
}
