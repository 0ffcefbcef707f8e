import { eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { doctorBankAccounts, doctors, files, hospitals, users } from "#app/db/schema/index.ts";
import { openPhoto } from "#app/domains/directory/doctors/open-photo.server.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { storeImage } from "#app/domains/platform/files/store-image.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import {
  ACCOUNT,
  account,
  actionsOf,
  admin,
  changesOf,
  ctx,
  db,
  doctor,
  form,
  hospital,
  n,
  newDoctor,
  notified,
  pendingOf,
  refused,
  row,
  save,
  sql,
  waiting,
} from "../../../../tests/setup/profile-changes.ts";
import { decideChange } from "./decide-change.server.ts";
import { getOwnProfile, listOwnChanges } from "./own-profile.server.ts";
import { saveProfile } from "./save-profile.server.ts";
import { withdrawChange } from "./withdraw-change.server.ts";

describe("fields that change at once", () => {
  it("are the fields patients choose by", async () => {
    const asked = await save({
      consultationFee: 650.5,
      about: "Hearts of all ages.",
      category: "General",
      experienceYears: 0,
      languages: ["Hindi", "Telugu"],
    });
    expect(asked).toEqual([]);
    expect(await row()).toMatchObject({
      consultationFee: 65_050,
      about: "Hearts of all ages.",
      category: "General",
      experienceYears: 0,
      languages: ["Hindi", "Telugu"],
    });
    expect(await actionsOf()).toEqual(["edit-profile"]);
    expect(await changesOf()).toEqual([]);
  });

  it("accept a category of the form or the doctor's current one", async () => {
    await db.update(doctors).set({ category: "Dermatology" }).where(eq(doctors.id, doctor.userId));
    await save({ about: "Skin." });
    await refused(save({ category: "Oncology" }), "invalid", "Please choose a category from the list");
    expect((await row()).category).toBe("Dermatology");
  });

  it("refuse every role but doctors", async () => {
    await refused(getOwnProfile(ctx(admin)), "not-found", "No profile data available");
    await refused(saveProfile(ctx(admin), await form()), "not-found", "No profile data available");
  });

  it("write nothing when nothing differs", async () => {
    const before = await row();
    await save();
    expect(await row()).toEqual(before);
    expect(await actionsOf()).toEqual([]);
  });
});

describe("two pages at once", () => {
  it("refuses a page that was read before the other was saved, and changes nothing", async () => {
    const [first, second] = [await form({ about: "First." }), await form({ about: "Second.", consultationFee: 900 })];
    await saveProfile(ctx(doctor), first);
    await refused(saveProfile(ctx(doctor), second), "conflict", "Your profile was changed in another window");
    expect(await row()).toMatchObject({ about: "First.", consultationFee: 50_000 });
  });

  it("treats the same form twice as one", async () => {
    const twice = await form({ about: "Again.", fullName: "Dr. Asha Rani Kumar", accountNumber: "999988887777" });
    const results = await Promise.allSettled([
      saveProfile(ctx(doctor), twice),
      saveProfile(ctx(doctor), twice),
      saveProfile(ctx(doctor), twice),
    ]);
    expect(results.map((r) => r.status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect((await changesOf()).map((c) => c.status)).toEqual(["pending", "pending"]);
    expect((await actionsOf()).filter((a) => a === "edit-profile")).toHaveLength(1);
  });

  it("accepts one of several different forms", async () => {
    const forms = await Promise.all(Array.from({ length: 6 }, (_, i) => form({ about: `Text ${i}` })));
    const results = await Promise.allSettled(forms.map((one) => saveProfile(ctx(doctor), one)));
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
  });
});

describe("verified fields", () => {
  it("wait for approval one by one, while the old value stays and the doctor can be booked", async () => {
    const asked = await save({ fullName: "Dr. Asha Rani Kumar", councilNumber: "tsmc/777", bankBranch: "Guntur East", about: "New." });
    expect(asked).toEqual(["name", "council", "bank"]);
    expect(await row()).toMatchObject({ fullName: "Dr. Asha Rani", registrationStatus: "verified", about: "New." });
    expect((await account()).bankBranch).toBe("Guntur Main");
    expect(await findBookableDoctor(ctx(), doctor.userId)).toMatchObject({ name: "Dr. Asha Rani" });
    expect(await pendingOf("name")).toMatchObject({ before: { fullName: "Dr. Asha Rani" }, after: { fullName: "Dr. Asha Rani Kumar" } });
    expect((await pendingOf("council")).after).toMatchObject({ councilNumber: "TSMC/777", councilName: "Andhra Pradesh Medical Council" });
    expect((await pendingOf("bank")).after).toEqual({
      bankName: "State Bank of India",
      bankBranch: "Guntur East",
      accountHolderName: "Asha Rani",
      ifscCode: "SBIN0001234",
      accountLast4: "4567",
    });
    expect(await notified()).toEqual(["bank-change-asked"]);
  });

  it("store a new account number encrypted and show its last digits only", async () => {
    await save({ accountNumber: "999988887777" });
    const change = await pendingOf("bank");
    expect(change.after).toMatchObject({ accountLast4: "7777", accountChanged: "yes" });
    const [dump] = await sql`select profile_changes::text as text from profile_changes where id = ${change.id}`;
    expect(dump!.text).not.toContain("999988887777");
    const [logs] = await sql`select coalesce(string_agg(audit_log::text, ''), '') as text from audit_log`;
    expect(logs!.text).not.toContain("999988887777");
  });

  it("request nothing when the value is the same, also the account number", async () => {
    expect(await save({ accountNumber: ACCOUNT, fullName: "Dr. Asha Rani" })).toEqual([]);
  });

  it("replace the first request for a field by the second", async () => {
    await save({ fullName: "Dr. Asha One" });
    await save({ fullName: "Dr. Asha Two" });
    await save({ about: "The name was left as it is." });
    expect((await changesOf()).map((c) => [c.after.fullName, c.status])).toEqual([
      ["Dr. Asha One", "withdrawn"],
      ["Dr. Asha Two", "pending"],
    ]);
  });

  it("need a complete account where none is stored", async () => {
    await db.delete(doctorBankAccounts).where(eq(doctorBankAccounts.doctorId, doctor.userId));
    const none = { bankName: undefined, bankBranch: undefined, accountHolderName: undefined, ifscCode: undefined };
    expect(await save(none)).toEqual([]);
    const error = (await save({ ...none, bankName: "SBI" }).catch((e: unknown) => e)) as DomainError;
    expect(error.fields).toEqual({
      bankBranch: ["Bank branch is required"],
      accountHolderName: ["Account holder name is required"],
      ifscCode: ["IFSC code is required"],
      accountNumber: ["Account number is required"],
    });
    const whole = { bankName: "SBI", bankBranch: "Tenali", accountHolderName: "Asha", ifscCode: "SBIN0001234", accountNumber: "123456789" };
    expect(await save(whole)).toEqual(["bank"]);
  });

  it("refuse the registration number of another doctor and reveal nothing about them", async () => {
    const other = await newDoctor(hospital);
    const { councilNumber } = await row(other);
    await refused(save({ councilNumber: councilNumber! }), "conflict", "Verification failed. We could not accept these registration");
    expect(await changesOf()).toEqual([]);
  });

  it("can be requested 20 times a day", async () => {
    for (let i = 0; i < 20; i++) await save({ fullName: `Dr. Number ${"abcdefghijklmnopqrst"[i]}` });
    await refused(save({ fullName: "Dr. Once More" }), "too-many");
    expect(await save({ about: "Changes without review go on." })).toEqual([]);
  });

  it("move to a confirmed hospital by its id, and to an unlisted one by its details", async () => {
    const [other] = await db
      .insert(hospitals)
      .values({ name: `Other ${n}`, category: "Hospital", address: "9 Ring Road", city: "Tenali", state: "Andhra Pradesh" })
      .returning();
    expect(await save({ hospitalId: hospital })).toEqual([]);
    expect(await save({ hospitalId: other!.id })).toEqual(["hospital"]);
    expect((await pendingOf("hospital")).after).toMatchObject({ hospitalId: other!.id, hospitalName: `Other ${n}` });
    await save({ hospitalName: `Lotus ${n}`, hospitalAddress: "12 Brodipet", contactNumber: "0863 223 4567" });
    const change = await pendingOf("hospital");
    const [proposed] = await db.select().from(hospitals).where(eq(hospitals.id, change.after.hospitalId!));
    expect(proposed).toMatchObject({ name: `Lotus ${n}`, status: "pending", proposedBy: doctor.userId, city: "Guntur" });
    await refused(save({ hospitalId: "00000000-0000-4000-8000-000000000000" }), "invalid", "no longer in the list");
  });
});

describe("the doctor withdraws a change", () => {
  it("repeatedly, but not after the decision, and never another doctor's", async () => {
    await save({ fullName: "Dr. Asha Rani Kumar", accountNumber: "999988887777" });
    const [name, bank] = [await pendingOf("name"), await pendingOf("bank")];
    const stranger = await newDoctor(hospital);
    await refused(withdrawChange(ctx(stranger), name.id), "not-found");
    await refused(withdrawChange(ctx(doctor), "nothing"), "not-found");
    await Promise.all([withdrawChange(ctx(doctor), bank.id), withdrawChange(ctx(doctor), bank.id)]);
    const after = (await changesOf()).find((c) => c.id === bank.id)!;
    expect([after.status, after.accountSealed]).toEqual(["withdrawn", null]);
    await decideChange(ctx(admin), { id: name.id, intent: "approve" });
    await refused(withdrawChange(ctx(doctor), name.id), "conflict", "This change has already been decided: Approved.");
  });

  it("shows pending changes and the last refusal", async () => {
    await save({ fullName: "Dr. Asha One", bankBranch: "Guntur East" });
    await decideChange(ctx(admin), { id: (await pendingOf("name")).id, intent: "refuse", reason: "Send the gazette." });
    expect((await listOwnChanges(ctx(doctor))).map((c) => [c.field, c.status, c.reason])).toEqual([
      ["bank", "pending", null],
      ["name", "refused", "Send the gazette."],
    ]);
    await save({ fullName: "Dr. Asha Two" });
    await decideChange(ctx(admin), { id: (await pendingOf("name")).id, intent: "approve" });
    expect((await listOwnChanges(ctx(doctor))).map((c) => c.field)).toEqual(["bank"]);
  });
});

describe("the photo", () => {
  const image = (shade: string) =>
    sharp({ create: { width: 900, height: 1200, channels: 3, background: shade } })
      .png()
      .toBuffer();
  const upload = async (who = doctor, shade = "#336699") =>
    (await storeImage(ctx(who), { purpose: "doctor-photo", name: "me.png", bytes: await image(shade) })).id;
  const statusOf = async (id: string) => (await db.select({ status: files.status }).from(files).where(eq(files.id, id)))[0]?.status;

  it("is shown small to every visitor while it is the photo of a verified doctor", async () => {
    const id = await upload();
    await refused(openPhoto(ctx(), id), "not-found");
    await save({ photo: id });
    const { width, height, format } = await sharp(await openPhoto(ctx(), id)).metadata();
    expect([width, height, format]).toEqual([320, 320, "jpeg"]);
    await db.update(doctors).set({ registrationStatus: "suspended" }).where(eq(doctors.id, doctor.userId));
    await refused(openPhoto(ctx(), id), "not-found");
    await db.update(doctors).set({ registrationStatus: "verified" }).where(eq(doctors.id, doctor.userId));
    const next = await upload(doctor, "#993366");
    await save({ photo: next });
    await refused(openPhoto(ctx(), id), "not-found");
    // The next sweep deletes the old one.
    expect([await statusOf(id), await statusOf(next)]).toEqual(["pending", "attached"]);
    await save({ removePhoto: true });
    expect((await row()).photoFileId).toBeNull();
    await refused(openPhoto(ctx(), next), "not-found");
    await refused(openPhoto(ctx(), "x"), "not-found");
  });

  it("must be the doctor's own upload for this purpose", async () => {
    const stranger = await newDoctor(hospital);
    const theirs = await upload(stranger);
    const document = (await storeImage(ctx(doctor), { purpose: "doctor-document", name: "a.png", bytes: await image("#123456") })).id;
    for (const photo of [theirs, document, "x", "00000000-0000-4000-8000-000000000000"])
      await refused(save({ photo, about: "Not saved either." }), "invalid", "This photo is no longer available");
    expect(await row()).toMatchObject({ photoFileId: null, about: "Hearts." });
  });

  it("stays with the form while other fields are corrected, and does not change the verified case", async () => {
    const document = (await storeImage(ctx(doctor), { purpose: "doctor-document", name: "a.png", bytes: await image("#654321") })).id;
    await db.update(files).set({ status: "attached" }).where(eq(files.id, document));
    await db.update(doctors).set({ photoFileId: document }).where(eq(doctors.id, doctor.userId));
    const id = await upload();
    await save({ photoReceived: id });
    expect((await row()).photoFileId).toBe(id);
    expect(await statusOf(document)).toBe("attached");
  });
});

describe("after a password reset", () => {
  it("refuses other bank details for a day, shows when they open, and saves everything else", async () => {
    const until = new Date(ctx(doctor).now.getTime() + 24 * 3_600_000);
    await db.update(users).set({ bankLockedUntil: until }).where(eq(users.id, doctor.userId));
    const locked = "you cannot change your bank details before";
    await refused(save({ bankBranch: "Guntur East" }), "forbidden", locked);
    await refused(save({ accountNumber: "30007654321", about: "New." }), "forbidden", formatInstant(until));
    expect(await waiting()).toEqual([]);
    expect(await save({ about: "New." })).toEqual([]);
    expect((await row()).about).toBe("New.");
    await db
      .update(users)
      .set({ bankLockedUntil: new Date(ctx(doctor).now.getTime() - 1000) })
      .where(eq(users.id, doctor.userId));
    expect(await save({ bankBranch: "Guntur East" })).toEqual(["bank"]);
  });
});
