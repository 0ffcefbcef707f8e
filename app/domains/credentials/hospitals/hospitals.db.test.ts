import { and, eq, isNull } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  auditLog,
  clinicExports,
  clinicPatients,
  doctors,
  hospitalReviewers,
  hospitals,
  imports,
  notifications,
  reviewerInvitations,
  users,
  verificationEvents,
} from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, transact } from "#app/domains/context.server.ts";
import { verifyPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { openEmail } from "#app/queue/sealed-email.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { makeAdmin, makeCase, makeHospital, makeReviewer } from "../../../../tests/factories/cases.ts";
import { makePatient, newPhone } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { acceptInvitation, getInvitation } from "./accept-invitation.server.ts";
import { confirmHospital } from "./confirm-hospital.server.ts";
import { createHospital } from "./create-hospital.server.ts";
import { editHospital } from "./edit-hospital.server.ts";
import type { HospitalInput } from "./hospitals.schema.ts";
import { inviteReviewer, revokeInvitation } from "./invite-reviewer.server.ts";
import { hospitalForCase } from "./lock-hospital.server.ts";
import { mergeHospitals } from "./merge-hospitals.server.ts";
import { getHospital, listHospitalsInStatus, listMergeTargets } from "./queries.server.ts";
import { refuseHospital } from "./refuse-hospital.server.ts";
import { removeReviewer } from "./remove-reviewer.server.ts";

const { db, ctx, sql } = testDb();
const key = () => env().encryptionKeys[0];
let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin(db);
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );
const outcome = async (works: Promise<unknown>[]) => (await Promise.all(works.map(codeOf))).sort();
const statusOf = async (id: string) => (await db.select().from(hospitals).where(eq(hospitals.id, id)))[0]?.status;
const given = (over: Partial<HospitalInput> = {}): HospitalInput => ({
  seen: "",
  name: "Sai Krupa Nursing Home",
  category: "Hospital",
  address: "Eluru Road, Vijayawada",
  city: "Vijayawada",
  state: "Andhra Pradesh",
  access: [],
  ...over,
});
/** Returns the token of the newest email to an address. Only the email contains it, encrypted while it is queued. */
async function tokenTo(email: string): Promise<string> {
  const [job] = await sql`select data from pgboss.job where name = 'email' and data->>'to' = ${email} order by created_on desc limit 1`;
  expect(job?.data.body).not.toContain("invitation");
  return /\/invitation\/([\w-]+)/.exec(openEmail(job?.data).body)?.[1] ?? "";
}

describe("adding and changing", () => {
  test("confirms a new hospital, places it in its city and logs it", async () => {
    const { id } = await createHospital(ctx(admin), given({ phone: "+918662571234" }));
    const made = await getHospital(ctx(admin), id);
    expect(made).toMatchObject({ status: "active", name: "Sai Krupa Nursing Home", phone: "+918662571234", isDemo: false });
    expect(made.latitude).toBeCloseTo(16.5, 0);
    expect(await db.$count(auditLog, and(eq(auditLog.subjectId, id), eq(auditLog.action, "create-hospital")))).toBe(1);
  });
  test("adds one for the same request twice, or five times at once", async () => {
    const same = given({ name: "Twice Pressed Hospital" });
    expect(await outcome([1, 2, 3, 4, 5].map(() => createHospital(ctx(admin), same)))).toEqual([
      "conflict",
      "conflict",
      "conflict",
      "conflict",
      "done",
    ]);
    expect(await codeOf(createHospital(ctx(admin), { ...same, name: "twice pressed HOSPITAL" }))).toBe("conflict");
    expect(await codeOf(createHospital(ctx(admin), { ...same, city: "Guntur" }))).toBe("done");
  });
  test("refuses a city that is not in the state", async () => {
    await expect(createHospital(ctx(admin), given({ name: "Nowhere", city: "Vijayawadaa" }))).rejects.toMatchObject({
      code: "invalid",
      fields: { city: expect.any(Array) },
    });
    await expect(createHospital(ctx(admin), given({ name: "Nowhere", state: "Kerala" }))).rejects.toMatchObject({ code: "invalid" });
  });
  test("refuses the second of two concurrent changes", async () => {
    const { id } = await createHospital(ctx(admin), given({ name: "Edited Hospital" }));
    const seen = (await getHospital(ctx(admin), id)).updatedAt.toISOString();
    const later = (minutes: number) => ctx(admin, new Date(Date.now() + minutes * 60_000));
    const done = await outcome([
      editHospital(later(1), { ...given({ name: "Edited One", seen }), id }),
      editHospital(later(2), { ...given({ name: "Edited Two", seen }), id }),
    ]);
    expect(done).toEqual(["conflict", "done"]);
    expect(await codeOf(editHospital(ctx(admin), { ...given({ seen: "" }), id }))).toBe("conflict");
  });
  test("refuses every role but administrators", async () => {
    const house = await makeHospital(db, { status: "pending" });
    const reviewer = await makeReviewer(db, house);
    const doctor = await makeCase(db, { key: key(), hospital: house });
    for (const who of [reviewer, doctor.actor, (await makePatient(db)).actor] as Actor[]) {
      for (const work of [
        () => createHospital(ctx(who), given({ name: "Not mine" })),
        () => editHospital(ctx(who), { ...given(), id: house.id }),
        () => confirmHospital(ctx(who), { id: house.id }),
        () => mergeHospitals(ctx(who), { id: house.id, into: house.id }),
        () => refuseHospital(ctx(who), { id: house.id, reason: "x" }),
        () => inviteReviewer(ctx(who), { hospitalId: house.id, email: "x@y.test" }),
        () => revokeInvitation(ctx(who), { hospitalId: house.id, email: "x@y.test" }),
        () => removeReviewer(ctx(who), { hospitalId: house.id, userId: reviewer.userId }),
      ])
        expect(await codeOf(work()), who.role).toBe("forbidden");
    }
    expect(await statusOf(house.id)).toBe("pending");
  });
});

describe("a hospital that a doctor entered", () => {
  test("is confirmed once", async () => {
    const house = await makeHospital(db, { status: "pending" });
    expect(await outcome([1, 2, 3].map(() => confirmHospital(ctx(admin), { id: house.id })))).toEqual(["conflict", "conflict", "done"]);
    expect(await statusOf(house.id)).toBe("active");
    expect(await codeOf(refuseHospital(ctx(admin), { id: house.id, reason: "Too late." }))).toBe("conflict");
    expect(await codeOf(confirmHospital(ctx(admin), { id: crypto.randomUUID() }))).toBe("not-found");
  });
  test("refusing it sends back every waiting case with the reason, and leaves drafts and rejected ones", async () => {
    const house = await makeHospital(db, { status: "pending", name: "Some Shop" });
    const cases = {
      draft: await makeCase(db, { key: key(), hospital: house, status: "draft" }),
      waiting: await makeCase(db, { key: key(), hospital: house }),
      pending: await makeCase(db, { key: key(), hospital: house, status: "pending admin approval" }),
      rejected: await makeCase(db, { key: key(), hospital: house, status: "rejected" }),
    };
    await inviteReviewer(ctx(admin), { hospitalId: house.id, email: "late@proof.test" });
    const token = await tokenTo("late@proof.test");
    expect(await refuseHospital(ctx(admin), { id: house.id, reason: "It sells shoes." })).toEqual({ returned: 2, name: "Some Shop" });
    const statuses = Object.fromEntries(
      (await db.select().from(doctors).where(eq(doctors.hospitalId, house.id))).map((d) => [d.id, d.registrationStatus]),
    );
    expect(statuses).toEqual({
      [cases.draft.id]: "draft",
      [cases.waiting.id]: "rejected",
      [cases.pending.id]: "rejected",
      [cases.rejected.id]: "rejected",
    });
    const events = await db.select().from(verificationEvents).where(eq(verificationEvents.action, "return"));
    expect(events.map((e) => e.note)).toEqual(
      expect.arrayContaining(["Your hospital Some Shop was not accepted. Choose another hospital. Reason: It sells shoes."]),
    );
    const [notified] = await db.select().from(notifications).where(eq(notifications.userId, cases.waiting.id));
    expect(notified?.kind).toBe("doctor-rejected");
    expect(await codeOf(getInvitation(ctx(), token))).toBe("not-found");
    expect(await codeOf(hospitalForCase(ctx(), house.id))).toBe("conflict");
  });
  test("cannot be refused while verified doctors work there", async () => {
    const house = await makeHospital(db, { status: "pending" });
    await makeCase(db, { key: key(), hospital: house, status: "verified" });
    expect(await codeOf(refuseHospital(ctx(admin), { id: house.id, reason: "x" }))).toBe("conflict");
  });
  test("lists similar hospitals: the same city and a similar name", async () => {
    const there = await makeHospital(db, { name: "Gunadala Chest and Lung Hospital" });
    await makeHospital(db, { name: "Sunrise Eye Clinic" });
    const entered = await makeHospital(db, { name: "Gunadalla Chest Hospital", status: "pending" });
    expect((await listMergeTargets(ctx(admin), { ...entered, city: "vijayawada" }, "")).map((t) => t.id)).toEqual([there.id]);
    expect((await listMergeTargets(ctx(admin), { ...entered, city: "Vijayawada" }, "Sunrise")).map((t) => t.name)).toEqual([
      "Sunrise Eye Clinic",
    ]);
    expect((await listHospitalsInStatus(ctx(admin), { status: "pending", search: "gunadalla", page: 1 })).rows.map((r) => r.id)).toEqual([
      entered.id,
    ]);
  });
});

describe("merging", () => {
  test("moves doctors, reviewers, invitations and earlier merges, and notifies the new reviewers", async () => {
    const [from, into, before] = [await makeHospital(db, { status: "pending" }), await makeHospital(db), await makeHospital(db)];
    await db.update(hospitals).set({ status: "merged", mergedInto: from.id }).where(eq(hospitals.id, before.id));
    const [mine, theirs] = [await makeReviewer(db, from), await makeReviewer(db, into)];
    const both = await makeReviewer(db, from, into);
    const waiting = await makeCase(db, { key: key(), hospital: from, name: "Dr. Moves Along" });
    const verified = await makeCase(db, { key: key(), hospital: from, status: "verified" });
    await inviteReviewer(ctx(admin), { hospitalId: from.id, email: "moves@proof.test" });
    const importId = crypto.randomUUID();
    const reading = sealed(imports.reading, importId, { fileName: "a.csv", sheets: [], sheet: null, columns: [], ask: null });
    const of = { hospitalId: from.id, kind: "patients" as const };
    await db.insert(imports).values({ ...of, id: importId, reading, rowCount: 1, columnCount: 1 });
    await db.insert(clinicPatients).values({ hospitalId: from.id, name: "Arjun", nameKey: "arjun", importId });
    await db.insert(clinicExports).values({ ...of, format: "csv", createdBy: admin.userId, expiresAt: new Date() });

    await mergeHospitals(ctx(admin), { id: from.id, into: into.id });
    const [row] = await db.select().from(hospitals).where(eq(hospitals.id, from.id));
    expect(row).toMatchObject({ status: "merged", mergedInto: into.id });
    expect((await db.select().from(hospitals).where(eq(hospitals.id, before.id)))[0]?.mergedInto).toBe(into.id);
    for (const doctor of [waiting, verified])
      expect((await db.select().from(doctors).where(eq(doctors.id, doctor.id)))[0]?.hospitalId).toBe(into.id);
    for (const table of [imports, clinicPatients, clinicExports])
      expect([await db.$count(table, eq(table.hospitalId, from.id)), await db.$count(table, eq(table.hospitalId, into.id))]).toEqual([
        0, 1,
      ]);
    const reviewers = async (id: string) =>
      (await db.select().from(hospitalReviewers).where(eq(hospitalReviewers.hospitalId, id))).map((r) => r.userId).sort();
    expect(await reviewers(into.id)).toEqual([mine.userId, theirs.userId, both.userId].sort());
    expect(await reviewers(from.id)).toEqual([]);
    expect((await getInvitation(ctx(), await tokenTo("moves@proof.test"))).hospitalName).toBe(into.name);
    expect((await hospitalForCase(ctx(), before.id)).id).toBe(into.id);
    const notified = async (id: string) =>
      (await db.select().from(notifications).where(eq(notifications.userId, id))).map((n) => n.targetPath);
    expect(await notified(theirs.userId)).toEqual([`/reviewer/cases/${waiting.id}`]);
    expect([...(await notified(mine.userId)), ...(await notified(both.userId))]).toEqual([]);
    expect(await db.$count(auditLog, and(eq(auditLog.personId, waiting.id), eq(auditLog.action, "move-doctor-to-hospital")))).toBe(1);
  });
  test("refuses a merge into itself, into an unknown or missing hospital, or a second time", async () => {
    const [one, two, pending] = [await makeHospital(db), await makeHospital(db), await makeHospital(db, { status: "pending" })];
    expect(await codeOf(mergeHospitals(ctx(admin), { id: one.id, into: one.id }))).toBe("invalid");
    for (const into of ["nonsense", crypto.randomUUID(), pending.id])
      expect(await codeOf(mergeHospitals(ctx(admin), { id: one.id, into }))).toBe("invalid");
    expect(await codeOf(mergeHospitals(ctx(admin), { id: "nonsense", into: two.id }))).toBe("not-found");
    expect(await outcome([1, 2, 3].map(() => mergeHospitals(ctx(admin), { id: one.id, into: two.id })))).toEqual([
      "conflict",
      "conflict",
      "done",
    ]);
    expect(await codeOf(mergeHospitals(ctx(admin), { id: two.id, into: one.id }))).toBe("invalid");
  });
  test("an application submitted during the merge belongs to the remaining hospital", async () => {
    const [goes, stays] = [await makeHospital(db), await makeHospital(db)];
    const doctor = await makeCase(db, { key: key(), status: "draft" });
    const handIn = transact(ctx(doctor.actor), async (tx) => {
      await tx.db.select({ id: doctors.id }).from(doctors).where(eq(doctors.id, doctor.id)).for("update");
      const hospital = await hospitalForCase(tx, goes.id);
      await new Promise((later) => setTimeout(later, 150));
      await tx.db
        .update(doctors)
        .set({ hospitalId: hospital.id, registrationStatus: "under review by hospital" })
        .where(eq(doctors.id, doctor.id));
    });
    await new Promise((later) => setTimeout(later, 50));
    await Promise.all([handIn, mergeHospitals(ctx(admin), { id: goes.id, into: stays.id })]);
    expect((await db.select().from(doctors).where(eq(doctors.id, doctor.id)))[0]?.hospitalId).toBe(stays.id);
  });
  test("two opposite merges at once leave one hospital with every doctor", async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await makeHospital(db), await makeHospital(db)];
      const people = [await makeCase(db, { key: key(), hospital: one }), await makeCase(db, { key: key(), hospital: two })];
      const done = await outcome([
        mergeHospitals(ctx(admin), { id: one.id, into: two.id }),
        mergeHospitals(ctx(admin), { id: two.id, into: one.id }),
      ]);
      expect(done).toEqual(["done", "invalid"]);
      const stays = (await statusOf(one.id)) === "active" ? one : two;
      for (const person of people) expect((await db.select().from(doctors).where(eq(doctors.id, person.id)))[0]?.hospitalId).toBe(stays.id);
    }
  });
});

describe("reviewers", () => {
  const account = (over: Partial<{ name: string; phone: string; password: string }> = {}) => ({
    name: "Sister Mary",
    phone: newPhone(),
    password: "a long secret",
    ...over,
  });

  test("an invitation sends an email whose token is stored as a hash, for seven days, once", async () => {
    const house = await makeHospital(db);
    await inviteReviewer(ctx(admin), { hospitalId: house.id, email: "sister@proof.test", name: "Mary" });
    const token = await tokenTo("sister@proof.test");
    expect(token.length).toBeGreaterThanOrEqual(43);
    const [row] = await db.select().from(reviewerInvitations).where(eq(reviewerInvitations.hospitalId, house.id));
    expect(row).toMatchObject({ tokenHash: hashToken(token), invitedBy: admin.userId, acceptedAt: null });
    expect(JSON.stringify(await db.select().from(auditLog).where(eq(auditLog.subjectId, house.id)))).not.toMatch(/sister@|token/);
    expect(await getInvitation(ctx(), token)).toMatchObject({
      email: "sister@proof.test",
      name: "Mary",
      hospitalName: house.name,
      hasAccount: false,
    });
    const late = ctx(null, new Date(Date.now() + days(7) + 1000));
    expect(await codeOf(getInvitation(late, token))).toBe("not-found");
    expect(await codeOf(acceptInvitation(late, { token, account: account() }))).toBe("not-found");

    const who = account();
    const done = await outcome([1, 2, 3, 4].map(() => acceptInvitation(ctx(), { token, account: who })));
    expect(done).toEqual(["done", "not-found", "not-found", "not-found"]);
    const [made] = await db.select().from(users).where(eq(users.email, "sister@proof.test"));
    expect(made).toMatchObject({ role: "reviewer", phone: who.phone, staffName: "Sister Mary", status: "active" });
    expect(await verifyPassword(made!.passwordHash, "a long secret")).toBe(true);
    expect((await getHospital(ctx(admin), house.id)).reviewers.map((r) => r.id)).toEqual([made?.id]);
    for (const bad of ["", "nonsense", `${token}x`, undefined]) expect(await codeOf(getInvitation(ctx(), bad))).toBe("not-found");
  });
  test("a second invitation ends the first, and an invitation can be withdrawn", async () => {
    const house = await makeHospital(db);
    await inviteReviewer(ctx(admin), { hospitalId: house.id, email: "again@proof.test" });
    const first = await tokenTo("again@proof.test");
    await inviteReviewer(ctx(admin), { hospitalId: house.id, email: "again@proof.test" });
    const second = await tokenTo("again@proof.test");
    expect([await codeOf(getInvitation(ctx(), first)), await codeOf(getInvitation(ctx(), second))]).toEqual(["not-found", "done"]);
    expect(
      await db.$count(reviewerInvitations, and(eq(reviewerInvitations.hospitalId, house.id), isNull(reviewerInvitations.acceptedAt))),
    ).toBe(1);
    await revokeInvitation(ctx(admin), { hospitalId: house.id, email: "again@proof.test" });
    expect(await codeOf(getInvitation(ctx(), second))).toBe("not-found");
    expect(await codeOf(revokeInvitation(ctx(admin), { hospitalId: house.id, email: "again@proof.test" }))).toBe("not-found");
  });
  test("a reviewer of one hospital accepts another with the same account", async () => {
    const [one, two] = [await makeHospital(db), await makeHospital(db)];
    const reviewer = await makeReviewer(db, one);
    await inviteReviewer(ctx(admin), { hospitalId: two.id, email: reviewer.email });
    const token = await tokenTo(reviewer.email);
    expect((await getInvitation(ctx(), token)).hasAccount).toBe(true);
    await acceptInvitation(ctx(), { token });
    expect((await getHospital(ctx(admin), two.id)).reviewers.map((r) => r.id)).toEqual([reviewer.userId]);
    await expect(inviteReviewer(ctx(admin), { hospitalId: two.id, email: reviewer.email })).rejects.toMatchObject({ code: "invalid" });
  });
  test("refuses the email of another account, and a taken phone without ending the invitation", async () => {
    const house = await makeHospital(db);
    const doctor = await makeCase(db, { key: key(), hospital: house });
    const closed = await makeReviewer(db, house);
    await db.update(users).set({ status: "disabled" }).where(eq(users.id, closed.userId));
    for (const email of [doctor.email, admin.email, closed.email])
      await expect(inviteReviewer(ctx(admin), { hospitalId: house.id, email })).rejects.toMatchObject({
        code: "invalid",
        fields: { email: expect.any(Array) },
      });
    const reviewer = await makeReviewer(db, house);
    await inviteReviewer(ctx(admin), { hospitalId: house.id, email: "phone@proof.test" });
    const token = await tokenTo("phone@proof.test");
    await expect(acceptInvitation(ctx(), { token, account: account({ phone: reviewer.phone }) })).rejects.toMatchObject({
      code: "conflict",
      fields: { phone: expect.any(Array) },
    });
    // Passwords of an invitation are limited before they are hashed. That was the first of twenty.
    for (let i = 0; i < 19; i++) await spendLimits(ctx(), [{ limit: "password-set", key: token }]);
    expect(await codeOf(acceptInvitation(ctx(), { token, account: account({ phone: reviewer.phone }) }))).toBe("too-many");
    await sql`delete from rate_limits`;
    expect(await codeOf(acceptInvitation(ctx(), { token }))).toBe("invalid");
    // A doctor may also review: accounts are one per role.
    expect(await codeOf(acceptInvitation(ctx(), { token, account: account({ phone: doctor.phone }) }))).toBe("done");
  });
  test("a removed reviewer no longer sees the cases", async () => {
    const house = await makeHospital(db);
    const reviewer = await makeReviewer(db, house);
    expect(await outcome([1, 2].map(() => removeReviewer(ctx(admin), { hospitalId: house.id, userId: reviewer.userId })))).toEqual([
      "done",
      "not-found",
    ]);
    expect((await getHospital(ctx(admin), house.id)).reviewers).toEqual([]);
    expect((await db.select().from(users).where(eq(users.id, reviewer.userId)))[0]?.status).toBe("active");
  });
});
