import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, eq, gt, gte, isNotNull, isNull, sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/db/pool.server.ts";
import * as t from "#app/db/schema/index.ts";
import { listTimes } from "#app/domains/booking/availability/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { openNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { findWrongRatings } from "#app/domains/directory/ratings.server.ts";
import { listThreads } from "#app/domains/messages/inbox/queries.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { verifyPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { readStored, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { checkDocument } from "#app/domains/visit/documents/verify.server.ts";
import { getOwnVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { getQueuePage } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { filesystemStore } from "#app/integrations/storage/filesystem.server.ts";
import { addDays, instantInIndia, weekdayOf } from "#app/lib/dates.ts";
import { days, hours } from "#app/lib/durations.ts";
import { HOSPITAL_CATEGORIES, RECORD_TYPES, REGISTRATION_STATUSES } from "#app/lib/vocabulary.ts";
import { testDb } from "../tests/setup/test-db.ts";
import { CASES } from "./case-people.ts";
import { demoId } from "./ids.server.ts";
import { seedDemo, seedReference, topUpDemo } from "./index.server.ts";
import { DOCTORS, HOSPITALS, PATIENTS } from "./people.ts";
import { eveningPractice } from "./slots.server.ts";

// A Saturday at 13:00 in India: visits of the morning are over, visits of the afternoon are not.
const TODAY = "2026-11-21";
const NOW = instantInIndia(TODAY, "13:00");
const ANJALI = demoId("doctor Dr. Anjali Vemuri");
const tables = {
  users: t.users,
  doctors: t.doctors,
  hospitals: t.hospitals,
  patients: t.patients,
  slots: t.availabilitySlots,
  appointments: t.appointments,
  records: t.medicalRecords,
  files: t.files,
  notifications: t.notifications,
  cities: t.cities,
  documents: t.doctorDocuments,
  events: t.verificationEvents,
  reviewers: t.hospitalReviewers,
  reviews: t.reviews,
  reports: t.reviewReports,
  ledger: t.walletEntries,
};
const counts = async () =>
  Object.fromEntries(await Promise.all(Object.entries(tables).map(async ([name, table]) => [name, await db().$count(table)])));

let root = "";
let ctx: Parameters<typeof seedDemo>[0];
const at = (now: Date) => ({ ...ctx, now });
/** Reads a demo file. */
async function stored(id: string) {
  const [file] = await db().select(storedFile).from(t.files).where(eq(t.files.id, id));
  return readStored({ db: db(), integrations: { storage: ctx.storage } } as Ctx, file!);
}

beforeAll(async () => {
  // Without the triggers that make the ledger append-only.
  await testDb().sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`truncate users, hospitals, cities restart identity cascade`;
  });
  root = await mkdtemp(join(tmpdir(), "nadi-seed-"));
  ctx = { db: db(), now: NOW, storage: filesystemStore(root) };
  await Promise.all([seedReference(ctx), seedReference(ctx), seedReference(ctx)]);
  await Promise.all([seedDemo(ctx), seedDemo(ctx), seedDemo(ctx)]);
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("inserts everything once when run three times at once and twice again", async () => {
  const before = await counts();
  expect(before).toMatchObject({
    doctors: DOCTORS.length + CASES.length,
    hospitals: 21,
    patients: PATIENTS.length,
    users: DOCTORS.length + CASES.length + PATIENTS.length + 4,
    documents: 4 * (CASES.length - 1),
    reviewers: 1,
    reports: 1,
    ledger: 3,
  });
  await seedReference(ctx);
  await seedDemo(ctx);
  await seedDemo(at(new Date(NOW.getTime() + days(40))));
  await topUpDemo(ctx);
  expect(await counts()).toEqual(before);
});

describe("cities", () => {
  test("cover India, each once", async () => {
    expect(await db().$count(t.cities)).toBeGreaterThan(7000);
    const [seen] = await db()
      .select({ states: sql<number>`count(distinct state)::int`, marks: sql<number>`count(*) filter (where name ~ '[^ -~]')::int` })
      .from(t.cities);
    expect(seen).toEqual({ states: 36, marks: 0 });
  });
  test("include the city of every hospital", async () => {
    for (const { city, state } of HOSPITALS)
      expect(await db().$count(t.cities, and(eq(t.cities.name, city), eq(t.cities.state, state))), city).toBe(1);
  });
});

describe("users", () => {
  test("log in with the demo password only", async () => {
    const accounts = await db().select().from(t.users).where(sql`${t.users.passwordHash} is not null`);
    expect(accounts).toHaveLength(DOCTORS.length + 4 + CASES.length);
    expect(new Set(accounts.map((a) => a.passwordHash)).size).toBe(DOCTORS.length + 4 + CASES.length);
    for (const { passwordHash } of accounts) expect(await verifyPassword(passwordHash, "demo1234")).toBe(true);
    expect(await verifyPassword(accounts[0]?.passwordHash ?? null, "demo12345")).toBe(false);
    expect(await verifyPassword(null, "no account has this password")).toBe(false);
  });
  test("include the six demo accounts", async () => {
    const known = await db()
      .select({ role: t.users.role, email: t.users.email, phone: t.users.phone })
      .from(t.users)
      .where(sql`${t.users.phone} like '+919%'`)
      .orderBy(t.users.phone);
    expect(known).toEqual([
      { role: "patient", email: null, phone: "+919000000001" },
      { role: "doctor", email: "doctor@demo.test", phone: "+919000000101" },
      { role: "reviewer", email: "reviewer@demo.test", phone: "+919000000102" },
      { role: "admin", email: "admin@demo.test", phone: "+919000000103" },
      { role: "staff", email: "owner@demo.test", phone: "+919000000104" },
      { role: "staff", email: "reception@demo.test", phone: "+919000000105" },
    ]);
  });
  test("have numbers and emails that belong to no real user", async () => {
    const people = await db().select({ phone: t.users.phone, email: t.users.email }).from(t.users);
    const houses = await db().select({ phone: t.hospitals.phone, email: t.hospitals.email }).from(t.hospitals);
    for (const { phone, email } of [...people, ...houses]) {
      expect(phone).toMatch(/^\+91(40000 ?\d{5}|9000000(001|10[1-5]))$/);
      if (email) expect(email).toMatch(/@demo\.test$/);
    }
    expect(new Set(houses.map((h) => h.phone)).size).toBe(21);
  });
  test("are marked as demo", async () => {
    for (const table of [t.users, t.doctors, t.hospitals]) expect(await db().$count(table, eq(table.isDemo, false))).toBe(0);
  });
  test("have doctors for each specialty of the list, and one in Vijayawada for each category", async () => {
    const rows = await db().select().from(t.doctors).where(eq(t.doctors.registrationStatus, "verified"));
    expect(rows).toHaveLength(DOCTORS.length);
    const general = rows.filter((d) => d.primarySpecialization === "General Physician");
    expect(general.map((d) => d.city).sort()).toEqual(["Guntur", "Hyderabad", "Vijayawada"]);
    const others = rows.filter((d) => d.primarySpecialization !== "General Physician").map((d) => d.primarySpecialization);
    expect([others.length, new Set(others).size]).toEqual([18, 18]);
    const here = new Set(rows.filter((d) => d.city === "Vijayawada").map((d) => d.category));
    expect([...here].sort()).toEqual([
      "Cardiology",
      "Dentistry",
      "Gastroen",
      "General",
      "Laboratory",
      "Neurology",
      "Pulmonary",
      "Vaccination",
    ]);
    for (const d of rows) expect([d.registrationStatus, d.hospitalId !== null, d.latitude !== null]).toEqual(["verified", true, true]);
    expect(new Set(HOSPITALS.map((h) => h.category))).toEqual(new Set(HOSPITAL_CATEGORIES));
  });
  test("include the demo doctor", async () => {
    const [anjali] = await db().select().from(t.doctors).where(eq(t.doctors.id, ANJALI));
    expect(anjali).toMatchObject({
      fullName: "Dr. Anjali Vemuri",
      consultationFee: 50_000,
      experienceYears: 14,
      area: "Governorpet",
      primarySpecialization: "Cardiologist",
    });
  });
});

describe("slots and visits", () => {
  test("exist for fifteen days from today for every doctor, at half hours", async () => {
    const rows = await db().select().from(t.availabilitySlots).where(gte(t.availabilitySlots.date, TODAY));
    for (const doctor of DOCTORS) {
      const dates = [...new Set(rows.filter((r) => r.doctorId === demoId(`doctor ${doctor.fullName}`)).map((r) => r.date))];
      const open = Array.from({ length: 15 }, (_, i) => addDays(TODAY, i)).filter((d) => !doctor.pattern.off.includes(weekdayOf(d)));
      expect(dates.sort(), doctor.fullName).toEqual(open);
    }
    for (const { time, doctorId, practiceId } of rows)
      expect(time).toMatch(practiceId === doctorId ? /^(09|1[0-7]):(00|30):00$/ : /^1[89]:(00|30):00$/);
  });
  test("belong to a slot of their doctor", async () => {
    const lost = await db().execute(
      sql`select 1 from ${t.appointments} a where not exists (select from ${t.availabilitySlots} s where s.doctor_id = a.doctor_id and s.date = a.date and s.time = a.time)`,
    );
    expect(lost).toHaveLength(0);
  });
  test("are completed or cancelled in the past, and not completed in the future", async () => {
    for (const visit of await db().select().from(t.appointments)) {
      const start = instantInIndia(visit.date, visit.time);
      if (start.getTime() + hours(0.5) <= NOW.getTime()) expect(["completed", "cancelled"]).toContain(visit.status);
      else expect(visit.status).not.toBe("completed");
      for (const stamp of [visit.createdAt, visit.updatedAt, visit.acceptedAt, visit.completedAt, visit.cancelledAt])
        expect(stamp?.getTime() ?? 0).toBeLessThanOrEqual(NOW.getTime());
      expect(visit.cancelledBy !== null).toBe(visit.status === "cancelled");
    }
  });
  test("fill the doctor's day, requests and history, and the patient's past and future", async () => {
    const own = await db().select().from(t.appointments).where(eq(t.appointments.doctorId, ANJALI));
    const today = own.filter((v) => v.date === TODAY);
    expect(today).toHaveLength(8);
    expect(new Set(today.map((v) => v.status))).toEqual(new Set(["completed", "accepted", "pending"]));
    expect(own.filter((v) => v.status === "completed").length).toBeGreaterThan(40);
    expect(own.filter((v) => v.status === "cancelled").length).toBeGreaterThanOrEqual(4);
    expect(new Set(own.map((v) => v.date.slice(0, 7))).size).toBeGreaterThanOrEqual(5);
    const hers = await db()
      .select()
      .from(t.appointments)
      .where(eq(t.appointments.patientId, demoId("patient Lakshmi Prasanna Devi")));
    expect(
      hers
        .filter((v) => v.date > TODAY)
        .map((v) => v.status)
        .sort(),
    ).toEqual(["accepted", "pending"]);
    expect(hers.filter((v) => v.date < TODAY && v.status === "completed").length).toBeGreaterThanOrEqual(3);
  });
  test("have records that are small images of their patient", async () => {
    const documents = await db()
      .select()
      .from(t.medicalRecords)
      .innerJoin(t.files, eq(t.files.id, t.medicalRecords.fileId))
      .innerJoin(t.appointments, eq(t.appointments.id, t.medicalRecords.appointmentId));
    expect(documents.length).toBeGreaterThanOrEqual(8);
    expect(new Set(documents.map((d) => d.medical_records.recordType))).toEqual(new Set(RECORD_TYPES));
    for (const { files, appointments } of documents) {
      expect([files.ownerId, files.status]).toEqual([appointments.patientId, "attached"]);
      const bytes = await stored(files.id);
      expect(bytes?.byteLength).toBe(files.byteSize);
      expect(files.byteSize).toBeLessThan(100_000);
      expect(await sharp(bytes ?? undefined).metadata()).toMatchObject({ format: "jpeg", width: files.width, height: files.height });
    }
  });
  test("have notifications, none in the future, some unread", async () => {
    const sent = await db().select().from(t.notifications);
    for (const n of sent) {
      expect(n.createdAt.getTime()).toBeLessThanOrEqual(NOW.getTime());
      expect(Object.keys(n.params).sort()).toEqual(["appointment", "date", "doctor", "patient", "time"]);
    }
    expect(sent.some((n) => n.userId === ANJALI && n.readAt === null)).toBe(true);
    expect(sent.some((n) => n.userId === ANJALI && n.readAt !== null)).toBe(true);
  });
});

describe("staff pages", () => {
  const caseOf = (status: string) => CASES.filter((c) => c.status === status);
  test("have cases in every status, two of them waiting at the reviewer's hospital", async () => {
    const rows = await db().select().from(t.doctors);
    expect(new Set(rows.map((d) => d.registrationStatus))).toEqual(new Set(REGISTRATION_STATUSES));
    const [house] = await db().select().from(t.hospitalReviewers);
    expect(house).toMatchObject({ hospitalId: demoId("hospital Krishna Heart Centre"), userId: demoId("reviewer") });
    expect(rows.filter((d) => d.hospitalId === house?.hospitalId && d.registrationStatus === "under review by hospital")).toHaveLength(2);
    expect(await db().$count(t.hospitals, eq(t.hospitals.status, "pending"))).toBe(1);
  });
  test("staff have names", async () => {
    const staff = await db()
      .select({ role: t.users.role, name: t.users.staffName })
      .from(t.users)
      .where(sql`${t.users.staffName} is not null`);
    expect(staff.map((s) => s.role).sort()).toEqual(["admin", "reviewer", "staff", "staff"]);
  });
  test("the doctor's clinic has an owner, a receptionist and three doctors", async () => {
    const members = await db().select().from(t.memberships);
    expect(members.map(({ role, state }) => `${role} ${state}`).sort()).toEqual(["owner active", "reception active"]);
    const doctors = await db().select().from(t.placeDoctors);
    expect(doctors.map(({ state }) => state)).toEqual(["active", "active", "active"]);
    expect(new Set([...members, ...doctors].map(({ hospitalId }) => hospitalId))).toEqual(
      new Set([demoId("hospital Krishna Heart Centre")]),
    );
  });
  test("the second doctor has evenings with tokens at the clinic, the third with times, with visits and room for more", async () => {
    const evenings = await db()
      .select()
      .from(t.practices)
      .where(eq(t.practices.hospitalId, demoId("hospital Krishna Heart Centre")));
    expect(evenings).toHaveLength(2);
    for (const { id, doctorId } of evenings) {
      const visits = await db().select().from(t.appointments).where(eq(t.appointments.practiceId, id));
      expect(visits.length).toBeGreaterThanOrEqual(2);
      expect(new Set(visits.map(({ date }) => date))).toEqual(new Set([TODAY]));
      const slots = await db()
        .select({ tokens: t.availabilitySlots.tokens, seats: t.availabilitySlots.seats })
        .from(t.availabilitySlots)
        .where(and(eq(t.availabilitySlots.practiceId, id), eq(t.availabilitySlots.date, TODAY)));
      const givesTokens = doctorId === demoId(`doctor ${DOCTORS[1]!.fullName}`);
      // The third doctor has one visit more, that of the demo's day.
      expect(slots).toEqual(givesTokens ? [{ tokens: true, seats: 24 }] : Array(4).fill({ tokens: false, seats: 1 }));
      expect(visits.map(({ token }) => token).sort()).toEqual(givesTokens ? [1, 2, 3, 4, 5] : [null, null, null]);
      expect(await db().$count(t.queueEntries, eq(t.queueEntries.kind, "booked"))).toBe(5);
      expect(await db().$count(t.doctorPlaces, eq(t.doctorPlaces.doctorId, doctorId))).toBe(1);
    }
  });
  test("each status has its history, oldest first, none in the future", async () => {
    for (const person of CASES) {
      const events = await db()
        .select()
        .from(t.verificationEvents)
        .where(eq(t.verificationEvents.doctorId, demoId(`case ${person.fullName}`)))
        .orderBy(t.verificationEvents.at);
      expect(events.at(-1)?.toStatus ?? "draft").toBe(person.status);
      events.forEach((event, i) => {
        expect(event.fromStatus).toBe(i === 0 ? "draft" : events[i - 1]?.toStatus);
        expect(event.at.getTime()).toBeLessThanOrEqual(NOW.getTime());
      });
    }
  });
  test("documents are small images of their doctor, numbers are encrypted", async () => {
    const documents = await db().select().from(t.doctorDocuments).innerJoin(t.files, eq(t.files.id, t.doctorDocuments.fileId));
    for (const { files, doctor_documents: document } of documents) {
      expect([files.ownerId, files.purpose, files.status]).toEqual([document.doctorId, "doctor-document", "attached"]);
      expect(files.byteSize).toBeLessThan(100_000);
      const bytes = await stored(files.id);
      expect(await sharp(bytes ?? undefined).metadata()).toMatchObject({ format: "jpeg", width: files.width, height: files.height });
    }
    const [account] = await db()
      .select()
      .from(t.doctorBankAccounts)
      .where(eq(t.doctorBankAccounts.doctorId, demoId(`case ${CASES[0]?.fullName}`)));
    expect(openNumber("account", account!.doctorId, account!.accountSealed)).toMatch(/^\d{11}$/);
    expect(account?.accountSealed).not.toContain(account?.accountLast4);
  });
  test("the approved doctor's identity is erased, the others' are not", async () => {
    const cases = await db().select().from(t.doctors).where(isNotNull(t.doctors.aadhaarLast4));
    expect(cases).toHaveLength(CASES.length - 1);
    for (const doctor of cases) {
      const isApproved = doctor.registrationStatus === "suspended";
      expect([doctor.aadhaarSealed === null, doctor.aadhaarErasedAt !== null]).toEqual([isApproved, isApproved]);
      expect(doctor.aadhaarMac).toMatch(/^k1\./);
    }
    const erased = await db().select().from(t.doctorDocuments).where(isNull(t.doctorDocuments.fileId));
    const id = demoId(`case ${caseOf("suspended")[0]?.fullName}`);
    expect(erased.map((document) => [document.doctorId, document.kind])).toEqual([[id, "identityDocument"]]);
  });
  test("the suspended doctor still has coming visits", async () => {
    const id = demoId(`case ${caseOf("suspended")[0]?.fullName}`);
    expect(await db().$count(t.appointments, and(eq(t.appointments.doctorId, id), gt(t.appointments.date, TODAY)))).toBe(2);
  });
  test("older demo data gets its cases at the next start", async () => {
    await db().execute(sql`delete from ${t.verificationEvents}`);
    await db().execute(sql`delete from ${t.appointments} where doctor_id = ${demoId(`case ${caseOf("suspended")[0]?.fullName}`)}`);
    await db().execute(sql`update ${t.hospitals} set proposed_by = null`);
    await db().execute(sql`delete from ${t.doctorDocuments}`);
    await db().execute(sql`delete from ${t.users} where id in (select id from ${t.doctors} where registration_status <> 'verified')`);
    await db().execute(sql`delete from ${t.hospitals} where status = 'pending'`);
    await Promise.all([topUpDemo(ctx), topUpDemo(ctx)]);
    expect(await db().$count(t.doctors)).toBe(DOCTORS.length + CASES.length);
    expect(await db().$count(t.doctorDocuments)).toBe(4 * (CASES.length - 1));
  });
});

test("the session's next token follows those of the seed, and its queue lists them", async () => {
  const visitor = { db: db(), actor: null, now: NOW, integrations: integrations(), requestId: "test", ip: "127.0.0.1" };
  const doctorId = demoId(`doctor ${DOCTORS[1]!.fullName}`);
  const [day] = (await listTimes(visitor, { doctorId, practiceId: eveningPractice(DOCTORS[1]!.fullName), booked: false })).filter(
    ({ date }) => date === TODAY,
  );
  expect(day?.times).toMatchObject([{ time: "18:00", minutes: 120, tokens: true }]);
  const tokens = eq(t.queueSessions.practiceId, eveningPractice(DOCTORS[1]!.fullName));
  const [session] = await db().select().from(t.queueSessions).where(tokens);
  expect(session).toMatchObject({ state: "planned", lastNumber: 5, date: TODAY });
  // The morning's job finds nothing to add.
  await planDay(visitor, { practiceId: session!.practiceId, date: TODAY });
  expect(await db().$count(t.queueEntries, eq(t.queueEntries.sessionId, session!.id))).toBe(5);
});

describe.each(["00:10", "04:30", "10:00", "18:10", "23:50"])("a demo begun at %s shows a newcomer", (time) => {
  // A Sunday, when most doctors are off.
  const now = instantInIndia("2026-11-22", time);
  const as = (userId: string, role: "doctor" | "staff" | "patient") =>
    ({ db: db(), actor: { userId, role }, now, integrations: integrations(), requestId: "test", ip: "127.0.0.1" }) as Ctx<Actor>;
  const place = demoId(`hospital ${DOCTORS[0]!.hospital}`);
  beforeAll(async () => {
    await db()
      .delete(t.queueSessions)
      .where(eq(t.queueSessions.id, demoId("session of the day")));
    await db()
      .delete(t.appointments)
      .where(eq(t.appointments.id, demoId("day 0")));
    await db()
      .delete(t.messageThreads)
      .where(eq(t.messageThreads.id, demoId("message thread")));
    await db()
      .delete(t.waitlistEntries)
      .where(eq(t.waitlistEntries.id, demoId("waitlist entry")));
    await Promise.all([topUpDemo(at(now)), topUpDemo(at(now))]);
  });
  test("a queue under way", async () => {
    const { session } = await getQueuePage(as(demoId("reception"), "staff"), "member", demoId("session of the day"));
    expect(session).toMatchObject({ state: "open", current: { number: 3 } });
    expect(session?.waiting.map(({ number }) => number)).toEqual([4, 5, 6]);
  });
  test("a completed visit to be paid, a message to answer and an offer", async () => {
    const [visit] = await db()
      .select()
      .from(t.appointments)
      .where(eq(t.appointments.id, demoId("day 0")));
    expect(visit).toMatchObject({ status: "completed", date: "2026-11-22", paymentMethod: "clinic" });
    const doctorIds = DOCTORS.slice(0, 3).map(({ fullName }) => demoId(`doctor ${fullName}`));
    const threads = await listThreads(as(demoId("reception"), "staff"), { hospitalId: place, doctorIds }, false);
    expect(threads.map(({ text }) => text)).toEqual(["Can I bring my mother along tomorrow, and is there parking?"]);
    const [offer] = await db().select().from(t.waitlistOffers);
    expect(offer?.sendAt.getTime()).toBeLessThan(now.getTime());
    expect(offer?.endsAt.getTime()).toBeGreaterThan(now.getTime() + hours(1));
  });
});

test("the demo patient has a signed prescription of the demo doctor, once, which a check confirms", async () => {
  await Promise.all([topUpDemo(ctx), topUpDemo(ctx)]);
  const documents = await db().select().from(t.visitDocuments).innerJoin(t.encounters, eq(t.encounters.id, t.visitDocuments.encounterId));
  expect(documents).toHaveLength(1);
  const { visit_documents: document, encounters: visit } = documents[0]!;
  expect(visit).toMatchObject({ doctorId: ANJALI, patientId: demoId(`patient ${PATIENTS[0]!.name}`) });
  const ofServer = { db: db(), actor: null, now: NOW, integrations: integrations(), requestId: "test", ip: "127.0.0.1" };
  const check = await checkDocument(ofServer, document.code!);
  expect(check).toMatchObject({
    verdict: "valid",
    content: {
      doctor: { name: "Dr. Anjali Vemuri", registration: expect.stringContaining("DEMO/") },
      place: { name: "Krishna Heart Centre" },
    },
  });
  if (check.verdict !== "valid" || check.content.kind !== "prescription") throw new Error("no prescription");
  expect(check.content.lines.map(({ name, dose, days }) => [name, dose, days])).toEqual([
    ["Amlodipine", [1, 0, 0, 0], 30],
    ["Atorvastatin", [0, 0, 0, 1], 30],
    ["Paracetamol", [1, 0, 0, 0], 5],
  ]);
  // The doctor's own page of the visit opens it too: the same patient is recognized in the next visit.
  const own = await getOwnVisit({ ...ofServer, actor: { userId: ANJALI, role: "doctor" } } as Ctx<Actor>, visit.id);
  expect(own.personKey).toBe(await personKeyOf(ofServer, visit.patientId!, own.patient.name));
});

describe("new slots; runs last because the clock moves", () => {
  const slotsOf = (date: string) =>
    db()
      .select({ time: t.availabilitySlots.time })
      .from(t.availabilitySlots)
      .where(and(eq(t.availabilitySlots.doctorId, ANJALI), eq(t.availabilitySlots.date, date)));
  test("adds nothing on the same day", async () => {
    const before = await db().$count(t.availabilitySlots);
    const started = performance.now();
    await topUpDemo(at(new Date(NOW.getTime() + hours(8))));
    expect(await db().$count(t.availabilitySlots)).toBe(before);
    expect(performance.now() - started).toBeLessThan(250);
  });
  test("adds new days, and leaves days that a doctor changed, emptied or set ahead", async () => {
    const [changed, emptied, ahead] = [addDays(TODAY, 9), addDays(TODAY, 14), addDays(TODAY, 16)];
    for (const date of [changed, emptied])
      await db()
        .delete(t.availabilitySlots)
        .where(and(eq(t.availabilitySlots.doctorId, ANJALI), eq(t.availabilitySlots.date, date)));
    for (const date of [changed, ahead]) await db().insert(t.availabilitySlots).values({ doctorId: ANJALI, date, time: "17:30" });
    const later = at(new Date(NOW.getTime() + days(5)));
    await Promise.all([topUpDemo(later), topUpDemo(later)]);
    expect(await slotsOf(changed)).toEqual([{ time: "17:30:00" }]);
    expect(await slotsOf(emptied)).toEqual([]);
    expect(await slotsOf(ahead)).toEqual([{ time: "17:30:00" }]);
    for (const day of [15, 17, 18, 19]) expect((await slotsOf(addDays(TODAY, day))).length, String(day)).toBeGreaterThan(10);
    expect(await db().$count(t.availabilitySlots, gt(t.availabilitySlots.date, addDays(TODAY, 19)))).toBe(0);
  });
  test("adds only days from today on after a long pause", async () => {
    await topUpDemo(at(new Date(NOW.getTime() + days(60))));
    expect(
      await db().$count(
        t.availabilitySlots,
        and(gt(t.availabilitySlots.date, addDays(TODAY, 19)), sql`${t.availabilitySlots.date} < ${addDays(TODAY, 60)}`),
      ),
    ).toBe(0);
    expect((await slotsOf(addDays(TODAY, 60))).length).toBeGreaterThan(10);
    expect((await slotsOf(addDays(TODAY, 74))).length).toBeGreaterThan(10);
  });
});

describe("reviews and points", () => {
  test("reviews are marked as demo, belong to completed visits and match the ratings; some doctors have none", async () => {
    expect(await db().$count(t.reviews)).toBeGreaterThan(30);
    expect(await db().$count(t.reviews, eq(t.reviews.isDemo, false))).toBe(0);
    expect(
      await db().execute(sql`select from reviews r join appointments a on a.id = r.appointment_id
      where a.status <> 'completed' or r.created_at < a.completed_at or r.created_at > ${NOW.toISOString()}::timestamptz`),
    ).toHaveLength(0);
    const visitor = { db: db(), actor: null, now: NOW, integrations: integrations(), requestId: "test", ip: "127.0.0.1" };
    expect(await findWrongRatings(visitor)).toEqual([]);
    expect(await db().$count(t.doctors, gt(t.doctors.ratingCount, 0))).toBeGreaterThan(10);
    expect(await db().$count(t.doctors, sql`rating_count = 0 and registration_status = 'verified'`)).toBeGreaterThan(1);
  });
  test("the demo patient has 1200 points, each entry with its name", async () => {
    const rows = await db().select().from(t.walletEntries).orderBy(t.walletEntries.id);
    expect(rows.map((row) => [row.kind, row.about, row.points])).toEqual([
      ["mission", "profile", 500],
      ["mission", "first-visit", 500],
      ["demo", "demo", 200],
    ]);
    expect(await db().select().from(t.wallets)).toEqual([{ patientId: rows[0]!.patientId, balance: 1200 }]);
  });
});
