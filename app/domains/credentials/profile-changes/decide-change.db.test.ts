import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { appointments, auditLog, doctors, hospitals, notifications, users } from "#app/db/schema/index.ts";
import { openNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { makeHospital } from "../../../../tests/factories/cases.ts";
import { makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { makePractice } from "../../../../tests/factories/practices.ts";
import {
  ACCOUNT,
  account,
  actionsOf,
  admin,
  changesOf,
  ctx,
  db,
  doctor,
  hospital,
  n,
  newDoctor,
  notified,
  pendingOf,
  refused,
  row,
  save,
  waiting,
} from "../../../../tests/setup/profile-changes.ts";
import { getChange, listChanges, revealChangedAccount } from "./change-queries.server.ts";
import { decideChange } from "./decide-change.server.ts";
import { withdrawChange } from "./withdraw-change.server.ts";

describe("an administrator decides", () => {
  it("approving applies every field", async () => {
    const [other] = await db
      .insert(hospitals)
      .values({
        name: `Other ${n}`,
        category: "Hospital",
        address: "9 Ring Road",
        city: "Tenali",
        state: "Andhra Pradesh",
        area: "Ring",
        latitude: 16.2,
        longitude: 80.6,
      })
      .returning();
    await save({
      fullName: "Dr. Asha Rani Kumar",
      councilNumber: `TSMC/${n}`,
      councilYear: 2011,
      accountNumber: "999988887777",
      bankName: "HDFC Bank",
      hospitalId: other!.id,
    });
    for (const change of await waiting()) await decideChange(ctx(admin), { id: change.id, intent: "approve" });
    expect(await row()).toMatchObject({
      fullName: "Dr. Asha Rani Kumar",
      councilNumber: `TSMC/${n}`,
      councilYear: 2011,
      hospitalId: other!.id,
      city: "Tenali",
      area: "Ring",
      latitude: 16.2,
      registrationStatus: "verified",
    });
    const paid = await account();
    expect(paid).toMatchObject({ bankName: "HDFC Bank", accountLast4: "7777" });
    expect(openNumber("account", doctor.userId, paid.accountSealed)).toBe("999988887777");
    expect((await changesOf()).every((c) => c.status === "approved" && c.decidedBy === admin.userId && c.accountSealed === null)).toBe(
      true,
    );
    expect((await notified()).filter((kind) => kind === "profile-change-approved")).toHaveLength(4);
    expect((await actionsOf()).filter((action) => action === "approve-profile-change")).toHaveLength(4);
  });

  it("preserves the account number when other parts of the account change", async () => {
    await save({ bankBranch: "Guntur East" });
    await decideChange(ctx(admin), { id: (await pendingOf("bank")).id, intent: "approve" });
    const paid = await account();
    expect([paid.bankBranch, openNumber("account", doctor.userId, paid.accountSealed)]).toEqual(["Guntur East", ACCOUNT]);
  });

  it("approving writes the name in Telugu and Hindi, and preserves other translations", async () => {
    await db
      .update(doctors)
      .set({ translations: { te: { name: "డా. ఆశ", about: "గుండె." } } })
      .where(eq(doctors.id, doctor.userId));
    const approve = async () => decideChange(ctx(admin), { id: (await pendingOf("name")).id, intent: "approve" });
    await save({ nameInTelugu: "డా. ఆశా రాణి", nameInHindi: "डॉ. आशा रानी" });
    expect((await pendingOf("name")).before).toEqual({ fullName: "Dr. Asha Rani", nameInTelugu: "డా. ఆశ" });
    expect((await row()).translations.te?.name).toBe("డా. ఆశ");
    await approve();
    const both = { te: { name: "డా. ఆశా రాణి", about: "గుండె." }, hi: { name: "डॉ. आशा रानी" } };
    expect(await row()).toMatchObject({ fullName: "Dr. Asha Rani", translations: both });
    // The names that were approved together with a new name stay.
    await save({ fullName: "Dr. Asha Rani Kumar" });
    await approve();
    expect(await row()).toMatchObject({ fullName: "Dr. Asha Rani Kumar", translations: both });
    await save({ nameInTelugu: undefined, nameInHindi: undefined });
    await approve();
    expect((await row()).translations).toEqual({ te: { about: "గుండె." }, hi: {} });
  });

  it("refusing preserves the old value and notifies the doctor with the reason", async () => {
    await save({ fullName: "Dr. Unread" });
    await decideChange(ctx(admin), { id: (await pendingOf("name")).id, intent: "refuse", reason: "Not on the certificate." });
    expect((await row()).fullName).toBe("Dr. Asha Rani");
    const [notification] = await db
      .select({ params: notifications.params })
      .from(notifications)
      .where(and(eq(notifications.kind, "profile-change-refused"), eq(notifications.userId, doctor.userId)));
    expect(notification?.params).toEqual({ field: "name", note: "Not on the certificate." });
  });

  it("accepts one of many decisions at once", async () => {
    await save({ fullName: "Dr. Asha Rani Kumar" });
    const { id } = await pendingOf("name");
    const results = await Promise.allSettled([
      decideChange(ctx(admin), { id, intent: "approve" }),
      decideChange(ctx(admin), { id, intent: "refuse", reason: "No." }),
      decideChange(ctx(admin), { id, intent: "approve" }),
      withdrawChange(ctx(doctor), id),
    ]);
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
    const [change] = await changesOf();
    expect((await row()).fullName).toBe(change!.status === "approved" ? "Dr. Asha Rani Kumar" : "Dr. Asha Rani");
  });

  it("refuses the doctor as administrator, and every other role", async () => {
    await save({ fullName: "Dr. Asha Rani Kumar" });
    const { id } = await pendingOf("name");
    for (const role of ["doctor", "reviewer", "patient"] as const) {
      const other = { userId: admin.userId, role };
      await refused(decideChange(ctx(other), { id, intent: "approve" }), "forbidden");
      await refused(getChange(ctx(other), id), "forbidden");
      await refused(listChanges(ctx(other), { waiting: true, page: 1 }), "forbidden");
      await refused(revealChangedAccount(ctx(other), { id, reason: "Because" }), "forbidden");
    }
    const [phone] = await db.select({ phone: users.phone }).from(users).where(eq(users.id, doctor.userId));
    const [sameUser] = await db
      .insert(users)
      .values({ role: "admin", email: `same${n}@test.example`, phone: phone!.phone })
      .returning();
    await refused(decideChange(ctx({ userId: sameUser!.id, role: "admin" }), { id, intent: "approve" }), "forbidden");
    await refused(decideChange(ctx(admin), { id: "00000000-0000-4000-8000-000000000000", intent: "approve" }), "not-found");
    await refused(decideChange(ctx(admin), { id: "x", intent: "approve" }), "not-found");
    expect(await waiting()).toHaveLength(1);
  });

  it("moves the appointments to come to the new hospital, and leaves earlier ones and those of other practices where they are", async () => {
    const patient = await makePatient(db);
    const practice = await makePractice(db, doctor.userId);
    const book = (date: DateKey, over: { status?: "completed"; practiceId?: string } = {}) =>
      makeVisit(db, { doctor: { id: doctor.userId, actor: doctor, phone: "" }, patient }, { date, ...over });
    const today = todayInIndia(ctx(admin).now);
    const visits = [
      await book(addDays(today, -2)),
      await book(addDays(today, -3), { status: "completed" }),
      await book(addDays(today, 2)),
      await book(addDays(today, 3), { practiceId: practice.id }),
    ];
    const { id: other } = await makeHospital(db);
    await save({ hospitalId: other });
    await decideChange(ctx(admin), { id: (await pendingOf("hospital")).id, intent: "approve" });
    const places = [];
    for (const id of visits) places.push((await db.select().from(appointments).where(eq(appointments.id, id)))[0]!.hospitalId);
    expect(places).toEqual([hospital, hospital, other, practice.hospitalId]);
  });

  it("refuses an unconfirmed hospital, and follows a merged one", async () => {
    await save({ hospitalName: `Lotus ${n}`, hospitalAddress: "12 Brodipet", contactNumber: "0863 223 4567" });
    const change = await pendingOf("hospital");
    await refused(decideChange(ctx(admin), { id: change.id, intent: "approve" }), "conflict", "not confirmed");
    expect((await pendingOf("hospital")).id).toBe(change.id);
    const [remaining] = await db
      .insert(hospitals)
      .values({ name: `Same ${n}`, category: "Hospital", address: "1 Same Road", city: "Guntur", state: "Andhra Pradesh" })
      .returning();
    await db.update(hospitals).set({ status: "merged", mergedInto: remaining!.id }).where(eq(hospitals.id, change.after.hospitalId!));
    await decideChange(ctx(admin), { id: change.id, intent: "approve" });
    expect((await row()).hospitalId).toBe(remaining!.id);
  });

  it("refuses a registration number that another doctor got in the meantime", async () => {
    const other = await newDoctor(hospital);
    await save({ councilNumber: `RACE/${n}` });
    await db
      .update(doctors)
      .set({ councilNumber: `RACE/${n}` })
      .where(eq(doctors.id, other.userId));
    await refused(
      decideChange(ctx(admin), { id: (await pendingOf("council")).id, intent: "approve" }),
      "conflict",
      "Another doctor has this registration",
    );
    expect(await pendingOf("council")).toBeDefined();
  });

  it("shows a new account number only with a reason, which is logged first", async () => {
    await save({ accountNumber: "999988887777" });
    const { id } = await pendingOf("bank");
    const shown = JSON.stringify([await getChange(ctx(admin), id), await listChanges(ctx(admin), { waiting: true, page: 1 })]);
    expect(shown).not.toContain("999988887777");
    expect(await revealChangedAccount(ctx(admin), { id, reason: "To call the bank" })).toBe("999988887777");
    const [log] = await db.select().from(auditLog).where(eq(auditLog.action, "reveal-number"));
    expect(log).toMatchObject({
      actorId: admin.userId,
      personId: doctor.userId,
      details: { number: "account", change: id, reason: "To call the bank" },
    });
    await decideChange(ctx(admin), { id, intent: "refuse", reason: "No." });
    await refused(revealChangedAccount(ctx(admin), { id, reason: "Too late" }), "not-found");
  });
});
