import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { appointments, encounters, queueEntries, users } from "#app/db/schema/index.ts";
import { isVisitOf } from "#app/db/schema/visit-of-clinic.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { personKeyOf as personKeyOfVisit } from "#app/domains/person-key.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireBirthDate } from "#app/domains/platform/users/age.schema.ts";
import { specifiedYears } from "#app/lib/age.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { Gender, QueuePriority } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type AddedEntry, addEntry, personKeyOf } from "./add-entry.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { birthDateOfKnown, type KnownPerson, type Typed } from "./known-person.ts";
import { lockOwnSession, type QueueSession, requireQueue } from "./lock-session.server.ts";
import { markToken } from "./mark-messages.server.ts";
import { moveEntry } from "./move-entry.server.ts";
import { findSession } from "./queries.server.ts";
import { queueChanged } from "./queue-changed.server.ts";
import type { SameName } from "./queue-view.ts";
import { MOST_KNOWN, type Register, withRegistered } from "./registered-people.server.ts";

export type WalkIn = {
  sessionId: string;
  phone: Phone;
  name: string;
  age?: number | null | undefined;
  dateOfBirth?: DateKey | null | undefined;
  gender?: Gender | null;
  priority?: QueuePriority;
  /** The form's key: a second press returns the first token. */
  formKey: string;
  choice?: NameChoice | undefined;
};
/** A choice among patients of one name: `same` is the one of this name, `another` a further one, who gets a number after the name. */
export type NameChoice = "same" | "another";
/** `arrived`: was expected with a booking, and is checked in instead. `sms`: the phone gets an SMS with the token. */
export type TokenGiven = AddedEntry & { arrived: boolean; sms: boolean };

/**
 * Gives a walk-in the next token, and sends an SMS with it and its link. A patient with this name and phone who is expected is checked in instead. Twins may have one name ("B/O
 * Lakshmi"), so a name that is in the queue already, or that several patients of the phone have, is refused with the patients to choose from.
 * @throws DomainError("not-found" | "forbidden" | "conflict", with `{ same: SameName[] }`)
 */
export async function addWalkIn(ctx: Ctx<Actor>, input: WalkIn): Promise<TokenGiven> {
  requireBirthDate(input.dateOfBirth ?? undefined, todayInIndia(ctx.now));
  const add = () =>
    transact(ctx, async (outer) => {
      const { tx, session } = await lockOwnSession(outer, input.sessionId);
      const earlier = await findEntry(tx, session, eq(queueEntries.formKey, input.formKey));
      if (earlier) return { ...earlier, arrived: false, sms: false };
      if (session.state === "closed") throw new DomainError("conflict", m.queue_closed());
      const { name, known, isThere } = await choosePerson(tx, session, input);
      if (known && isThere) return { id: known.id, number: known.number, code: known.code, arrived: false, sms: false };
      if (known) {
        await moveEntry(tx, { session, entryId: known.id, action: "arrive" });
        if (input.priority === "emergency")
          await tx.db.update(queueEntries).set({ priority: "emergency", updatedAt: tx.now }).where(eq(queueEntries.id, known.id));
      }
      const entry = known ?? (await addNew(tx, session, { ...input, name }));
      const patientId = known ? null : await accountOf(tx, input.phone);
      const sms = !known && (await markToken(tx, { id: entry.id, phone: input.phone, patientId }));
      await recordChange(tx, "add-to-queue", {
        subject: { queue: session.id },
        people: { patient: patientId },
        details: { doctorId: session.doctorId, number: entry.number },
      });
      await queueChanged(tx, session);
      return { id: entry.id, number: entry.number, code: entry.code, arrived: Boolean(known), sms };
    });
  try {
    return await add();
  } catch (error) {
    // The same form was sent to another session.
    if (violatedConstraint(error)?.startsWith("queue_entries_")) throw new DomainError("conflict", m.queue_has_token());
    throw error;
  }
}

/**
 * Finds out whom a name on a phone means in a session: `known` has a live token there, and `isThere` when the patient is not only expected.
 * @throws DomainError("conflict", with `{ same: SameName[] }`) when the name has to be chosen
 */
export async function choosePerson(
  tx: Ctx,
  session: QueueSession,
  { phone, name: typed, choice }: Pick<WalkIn, "phone" | "name" | "choice">,
) {
  const same = choice === "same" ? [] : await listSameNames(tx, session, { phone, name: typed });
  const name = choice === "another" ? numbered(typed, same.length + 1) : typed;
  const live = and(eq(queueEntries.personKey, personKeyOf(phone, name)), inArray(queueEntries.state, [...LIVE_STATES]));
  const known = await findEntry(tx, session, live);
  const isThere = known !== undefined && known.state !== "expected";
  if ((isThere && choice !== "same") || (!choice && same.length > 1)) {
    const sentence = isThere ? m.queue_known({ number: known.number }) : m.queue_same_name();
    throw new DomainError("conflict", sentence, { fields: { name: [sentence] }, detail: { same } });
  }
  return { name, known, isThere };
}

async function addNew(tx: Ctx<Actor>, session: QueueSession, input: WalkIn): Promise<AddedEntry> {
  // A stored birth date takes precedence over a typed age.
  const birthDate = input.dateOfBirth ?? birthDateOfKnown(await listKnownPeople(tx, session.doctorId, input.phone), input.name);
  return addEntry(tx, {
    session,
    kind: "walk-in",
    state: "arrived",
    name: input.name,
    phone: input.phone,
    age: birthDate ? specifiedYears(birthDate, session.date) : (input.age ?? null),
    birthDate,
    gender: input.gender ?? null,
    priority: input.priority ?? "normal",
    formKey: input.formKey,
    patientId: await accountOf(tx, input.phone),
    dueAt: tx.now,
  });
}

/** The most patients of one name on one phone. */
const MOST_SAME = 9;
const numbered = (name: string, n: number) => (n === 1 ? name : `${name} ${n}`);

/** Returns the patients of a name on a phone whom the doctor has seen or has in this session: "B/O Lakshmi", "B/O Lakshmi 2". */
async function listSameNames(tx: Ctx, session: QueueSession, { phone, name }: Pick<WalkIn, "phone" | "name">): Promise<SameName[]> {
  const account = await accountOf(tx, phone);
  const names = Array.from({ length: MOST_SAME }, (_, i) => numbered(name, i + 1));
  const visitKeys = await Promise.all(
    names.map(async (one) => Promise.all([phone, account].flatMap((of) => (of === null ? [] : [personKeyOfVisit(tx, of, one)])))),
  );
  const queueKeys = names.map((one) => personKeyOf(phone, one));
  const [seen, here] = await Promise.all([
    tx.db
      .selectDistinct({ key: encounters.personKey })
      .from(encounters)
      .where(and(eq(encounters.doctorId, session.doctorId), inArray(encounters.personKey, visitKeys.flat()))),
    tx.db
      .select({ key: queueEntries.personKey, number: queueEntries.number, state: queueEntries.state })
      .from(queueEntries)
      .where(and(eq(queueEntries.sessionId, session.id), inArray(queueEntries.personKey, queueKeys))),
  ]);
  const known = names.map((one, i) => {
    const entries = here.filter(({ key }) => key === queueKeys[i]);
    const live = entries.find(({ state }) => (LIVE_STATES as readonly string[]).includes(state));
    const isKnown = entries.length > 0 || seen.some(({ key }) => visitKeys[i]!.includes(key));
    return { name: one, number: live?.number ?? null, isKnown };
  });
  // A number in between may be unused: the visits of that patient were of another doctor.
  const last = known.findLastIndex(({ isKnown }) => isKnown);
  return known.slice(0, last + 1).map(({ name: one, number }) => ({ name: one, number }));
}

async function findEntry(tx: Ctx, session: QueueSession, where: ReturnType<typeof and>) {
  const [row] = await tx.db
    .select({ id: queueEntries.id, number: queueEntries.number, code: queueEntries.code, state: queueEntries.state })
    .from(queueEntries)
    .where(and(eq(queueEntries.sessionId, session.id), where));
  return row;
}

async function accountOf(tx: Ctx, phone: Phone): Promise<string | null> {
  const [user] = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.phone, phone), eq(users.role, "patient"), eq(users.status, "active")));
  return user?.id ?? null;
}

/**
 * Returns the patients of a phone who had an appointment with this doctor, latest first, and those whom the clinic has imported, also by a part
 * of the name. Patients of other doctors are not shown, so that a member cannot look up phones.
 * @throws DomainError("not-found" | "forbidden" | "too-many" | "invalid")
 */
export async function findKnownPeople(ctx: Ctx<Actor>, { sessionId, ...typed }: { sessionId: string } & Typed): Promise<KnownPerson[]> {
  const session = await findSession(ctx, sessionId);
  const acting = await requireQueue(ctx, session.practiceId);
  const seen = typed.phone ? await listKnownPeople(acting, session.doctorId, typed.phone) : [];
  return withRegistered(acting, registerOf(acting, session.doctorId), typed, seen);
}
/** A member has the register of the hospital or clinic, the doctor that of the own practice. */
const registerOf = ({ actor }: Ctx<Actor>, doctorId: string): Register =>
  actor.onBehalfOf ? { hospitalId: actor.onBehalfOf.hospitalId } : { doctorId };

/** For a member of a hospital or clinic those of its visits, for the doctor all. */
function listKnownPeople(ctx: Ctx<Actor>, doctorId: string, phone: Phone): Promise<KnownPerson[]> {
  const latest = sql`max(${appointments.date})`;
  return ctx.db
    .select({
      name: appointments.patientName,
      age: sql<number>`max(${appointments.patientAge})`,
      birthDate: sql<DateKey | null>`max(${appointments.patientBirthDate})::text`,
      gender: sql<Gender>`max(${appointments.patientGender})`,
    })
    .from(appointments)
    .where(
      and(
        eq(appointments.doctorId, doctorId),
        eq(appointments.patientPhone, phone),
        ctx.actor.onBehalfOf && isVisitOf(ctx.actor.onBehalfOf.hospitalId),
      ),
    )
    .groupBy(appointments.patientName)
    .orderBy(desc(latest), appointments.patientName)
    .limit(MOST_KNOWN);
}
