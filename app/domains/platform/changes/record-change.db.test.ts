/** What is written for each change, by the table: once, and for the users that it names. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { auditLog, domainEvents, liveEvents, notifications, users } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { dayFromNow, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { makeClinic } from "../../../../tests/factories/queues.ts";
import { statementsOf } from "../../../../tests/setup/statements.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { isEventKind } from "../events/event-kinds.ts";
import { wordsOf } from "../notifications/words.ts";
import { CHANGES, type ChangeKind } from "./changes.ts";
import type { Consequences, Who } from "./consequences.ts";
import { type Change, recordChange } from "./record-change.server.ts";

const { db, ctx } = testDb();
const GROUPS: Who[] = ["owners", "staff", "reviewers", "administrators"];
const params = { doctor: "Dr. D", patient: "P", date: dayFromNow(3), time: "10:00" };
const target = { page: "patient-calendar" } as const;
let clinic: Awaited<ReturnType<typeof makeClinic>>;
const people = {} as Record<Who, string | string[]>;
let appointment: string;
const session = randomUUID();
beforeAll(async () => {
  clinic = await makeClinic(db);
  const newUser = async () => (await makePatient(db)).id;
  const patient = await makePatient(db);
  Object.assign(people, {
    patient: patient.id,
    doctor: clinic.doctor.id,
    actor: await newUser(),
    user: await newUser(),
    assignee: await newUser(),
  });
  for (const group of GROUPS) people[group] = [await newUser(), await newUser()];
  appointment = await makeVisit(db, { patient, doctor: clinic.doctor }, { date: dayFromNow(3), time: "10:00" });
});

/** A change with all that its row may need, and each text of `texts`. */
const changeOf = (texts: Partial<Record<Who, string>>): Change<ChangeKind> =>
  ({
    subject: new Proxy({} as Record<string, string>, {
      get: (_, name) => (["user", "doctor"].includes(String(name)) ? undefined : idOf(String(name))),
    }),
    people,
    place: clinic.place.id,
    data: { to: "accepted" },
    details: { proof: 1 },
    notify: Object.fromEntries(Object.entries(texts).map(([who, kind]) => [who, { kind, params, target }])),
  }) as never;
const ids = new Map<string, string>();
function idOf(name: string): string {
  if (name === "appointment") return appointment;
  if (name === "queue-session") return session;
  if (!ids.has(name)) ids.set(name, randomUUID());
  return ids.get(name)!;
}

class Undo extends Error {}
/** Returns what a change writes, and undoes it. */
async function written(kind: ChangeKind, change: Change<ChangeKind>) {
  let rows: Awaited<ReturnType<typeof read>> | undefined;
  const read = async (tx: Ctx, before: [number, number]) => ({
    audits: (await tx.db.select().from(auditLog)).filter(({ id }) => id > before[0]),
    events: (await tx.db.select().from(domainEvents)).filter(({ id }) => id > before[1]),
    notices: await tx.db.select().from(notifications),
    live: (await tx.db.select().from(liveEvents).orderBy(liveEvents.id)).map(({ channel, payload }) => `${channel} ${payload}`),
  });
  await transact(ctx(), async (tx) => {
    await tx.db.delete(liveEvents);
    const audits = await tx.db.select({ id: auditLog.id }).from(auditLog);
    const events = await tx.db.select({ id: domainEvents.id }).from(domainEvents);
    const last = (list: { id: number }[]) => Math.max(0, ...list.map(({ id }) => id));
    await recordChange(tx, kind, change);
    rows = await read(tx, [last(audits), last(events)]);
    throw new Undo();
  }).catch((error) => {
    if (!(error instanceof Undo)) throw error;
  });
  return rows!;
}

const appointmentEvent = (userId: string) =>
  `nadi_events ${JSON.stringify({ userId, event: "appointmentChanged", data: { _id: appointment } })}`;

describe("each change", () => {
  it.each(Object.keys(CHANGES) as ChangeKind[])("%s writes what its row says, once, for nobody else", async (kind) => {
    const row: Consequences = CHANGES[kind];
    const texts = Object.entries(row.notify ?? {}) as [Who, readonly string[]][];
    const longest = Math.max(1, ...texts.map(([, list]) => list.length));
    for (let n = 0; n < longest; n++) {
      const chosen = Object.fromEntries(texts.map(([who, list]) => [who, list[Math.min(n, list.length - 1)]!]));
      const { audits, events, notices, live } = await written(kind, changeOf(chosen));
      const { action = kind, of, person } = row.audit ?? {};
      const personOf = (who: string | undefined) => (who ? people[who as Who] : null);
      expect(
        audits.map((entry) => [entry.action, entry.subjectType, entry.subjectId, entry.personId, entry.actorRole, entry.details]),
      ).toEqual(row.audit ? [[action, of, people[of as Who] ?? idOf(of!), personOf(person), "system", { proof: 1 }]] : []);
      const subject = kind.split(".")[0]!;
      expect(events.map((event) => [event.kind, event.subjectKind, event.subjectId, event.doctorId, event.hospitalId, event.data])).toEqual(
        isEventKind(kind)
          ? [[kind, subject, people[subject as Who] ?? idOf(subject), clinic.doctor.id, clinic.place.id, { to: "accepted" }]]
          : [],
      );
      const expected = Object.entries(chosen).flatMap(([who, text]) => [people[who as Who]].flat().map((id) => `${id} ${text}`));
      expect(notices.map(({ userId, kind: text }) => `${userId} ${text}`).toSorted()).toEqual(expected.toSorted());
      const shown = live.filter((event) => !event.includes("receiveNotification") && !event.includes("notification-"));
      const wanted = [
        ...(row.live ?? []).map((who) => appointmentEvent(people[who] as string)),
        ...(row.queue ? [`nadi_queues ${session}`] : []),
        ...(row.pages ? ["nadi_pages "] : []),
      ];
      const atDesk = row.desks ? [clinic.reception.userId, clinic.place.owner.userId] : [];
      expect(shown.filter((event) => !atDesk.some((id) => event === appointmentEvent(id))).toSorted()).toEqual(wanted.toSorted());
      for (const id of atDesk) expect(shown.filter((event) => event === appointmentEvent(id))).toHaveLength(1);
      expect(live.filter((event) => event.includes("receiveNotification"))).toHaveLength(notices.length);
    }
  });
});

it("takes one statement, and two more for each queue of jobs", async () => {
  const book = (texts: Partial<Record<Who, string>>) => changeOf(texts) as Change<"appointment.book">;
  const one = await statementsOf(db, (own) =>
    recordChange({ ...ctx(), db: own }, "appointment.book", book({ doctor: "appointment-booked" })),
  );
  expect(one).toHaveLength(1);
});

it("sends a notification in the language of its reader", async () => {
  const { id } = await makePatient(db);
  await db.update(users).set({ language: "te" }).where(eq(users.id, id));
  const change = { people: { patient: id }, notify: { patient: { params, target } } } as unknown as Change<ChangeKind>;
  const { live } = await written("remind-of-follow-up", change);
  const { title } = withLanguage("te", () => wordsOf("follow-up-due", params));
  const sent = live.filter((event) => event.includes("receiveNotification"));
  expect(sent.map((event) => JSON.parse(event.slice("nadi_events ".length)).data.title)).toEqual([title]);
});

it("refuses a text that the row does not have for this user, and a change without an id", async () => {
  const before = await db.$count(notifications);
  const wrong = changeOf({ patient: "appointment-booked" });
  await expect(recordChange(ctx(), "appointment.book", wrong as never)).rejects.toThrow("does not notify patient");
  const silent = { ...changeOf({ patient: "appointment-accepted" }) };
  await expect(recordChange(ctx(), "choose-payment", silent as never)).rejects.toThrow("does not notify patient");
  const without = { people: { patient: people.patient, doctor: people.doctor }, subject: {}, notify: { doctor: null } };
  await expect(recordChange(ctx(), "appointment.book", without as never)).rejects.toThrow("no appointment");
  expect(await db.$count(notifications)).toBe(before);
});
