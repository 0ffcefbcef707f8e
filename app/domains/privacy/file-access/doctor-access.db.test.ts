/** Which files of a patient a doctor can open, from the booking to long after the visit, and the storage quota of an account. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { appointments, files, medicalRecords, patients } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { listDoctorAppointments, readDoctorAppointment } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { readDoctorList } from "#app/domains/booking/appointments/read-doctor-list.server.ts";
import { storeImage } from "#app/domains/platform/files/store-image.server.ts";
import { STORAGE_PER_ACCOUNT } from "#app/domains/platform/files/upload-limits.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { png } from "../../../../tests/factories/pictures.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { openFile } from "./open-file.server.ts";

const { db, ctx } = testDb();

async function addFile(ownerId: string, purpose: "medical-record" | "patient-photo", byteSize = 3): Promise<string> {
  const storageKey = `${purpose}/${randomToken()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")}`;
  await integrations().storage.put(storageKey, new Uint8Array([1, 2, 3]), "image/jpeg");
  const id = randomUUID();
  const originalName = sealed(files.originalName, id, "a.jpg");
  await db.insert(files).values({ id, ownerId, purpose, status: "attached", storageKey, mediaType: "image/jpeg", byteSize, originalName });
  return id;
}
async function addRecord(appointmentId: string, fileId: string): Promise<void> {
  const id = randomUUID();
  await db
    .insert(medicalRecords)
    .values({ id, appointmentId, fileId, recordType: "xray", description: sealed(medicalRecords.description, id, "Blood") });
}

it("a cancelled visit refuses its documents to that doctor in file, page, list and API, and not to the patient", async () => {
  const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
  const visit = await makeVisit(db, { patient, doctor }, { status: "accepted" });
  const fileId = await addFile(patient.id, "medical-record");
  await addRecord(visit, fileId);
  const seen = async () => ({
    page: (await readDoctorAppointment(ctx(doctor.actor), visit)).documents.length,
    counted: (await readDoctorAppointment(ctx(doctor.actor), visit)).records,
    api: (await readDoctorList(ctx(doctor.actor), { limit: 10, offset: 0 })).rows[0]!.documents.length,
    file: await openFile(ctx(doctor.actor), fileId).then(
      ({ bytes }) => bytes.length,
      ({ code }) => code,
    ),
  });
  expect(await seen()).toEqual({ page: 1, counted: 1, api: 1, file: 3 });
  for (const status of ["pending", "completed"] as const) {
    await db.update(appointments).set({ status }).where(eq(appointments.id, visit));
    expect(await seen()).toEqual({ page: 1, counted: 1, api: 1, file: 3 });
  }
  await db.update(appointments).set({ status: "cancelled" }).where(eq(appointments.id, visit));
  expect(await seen()).toEqual({ page: 0, counted: 0, api: 0, file: "not-found" });
  const { rows } = await listDoctorAppointments(ctx(doctor.actor), { tab: "cancelled", page: 1, search: "" });
  expect(rows).toMatchObject([{ id: visit, records: 0 }]);
  expect((await openFile(ctx(patient.actor), fileId)).bytes).toHaveLength(3);
  // After a new booking with the same doctor, only the documents of the new visit open.
  const again = await makeVisit(db, { patient, doctor }, { status: "accepted", time: "11:00" });
  await expect(openFile(ctx(doctor.actor), fileId)).rejects.toMatchObject({ code: "not-found" });
  await addRecord(again, await addFile(patient.id, "medical-record"));
  expect((await readDoctorAppointment(ctx(doctor.actor), again)).documents).toHaveLength(1);
});

it("a doctor sees the patient's photo from acceptance until 30 days after the visit", async () => {
  const [doctor, patient] = [await makeDoctor(db), await makePatient(db, { name: "Asha Rao" })];
  const photo = await addFile(patient.id, "patient-photo");
  await db.update(patients).set({ photoFileId: photo }).where(eq(patients.id, patient.id));
  const date = dayFromNow(2);
  const visit = await makeVisit(db, { patient, doctor }, { name: "Asha Rao", date });
  const seenAt = async (now: Date) => {
    const page = (await readDoctorAppointment(ctx(doctor.actor, now), visit)).photoFileId === photo;
    const api = (await readDoctorList(ctx(doctor.actor, now), { limit: 10, offset: 0 })).rows[0]!.photoFileId === photo;
    const file = await openFile(ctx(doctor.actor, now), photo).then(
      () => true,
      () => false,
    );
    expect([page, api]).toEqual([file, file]);
    return file;
  };
  const noon = (days: number) => new Date(`${dayFromNow(2 + days)}T06:30:00Z`);
  const become = (status: "pending" | "accepted" | "completed" | "cancelled") =>
    db.update(appointments).set({ status }).where(eq(appointments.id, visit));
  expect(await seenAt(noon(-1))).toBe(false);
  await become("accepted");
  expect([await seenAt(noon(-1)), await seenAt(noon(30)), await seenAt(noon(31))]).toEqual([true, true, false]);
  await become("completed");
  expect([await seenAt(noon(30)), await seenAt(noon(31))]).toEqual([true, false]);
  await become("cancelled");
  expect(await seenAt(noon(-1))).toBe(false);
});

describe("the storage of one account", () => {
  const upload = async (who: Awaited<ReturnType<typeof makePatient>>) =>
    storeImage(ctx(who.actor), { purpose: "medical-record", name: "a.png", bytes: await png() });

  it("is refused at the quota with a message, and accepted again after a deletion", async () => {
    const patient = await makePatient(db);
    const large = await addFile(patient.id, "medical-record", STORAGE_PER_ACCOUNT);
    await expect(upload(patient)).rejects.toMatchObject({
      code: "too-large",
      sentence: "Your storage is full. Each account can store 500 MB. Delete files you no longer need, then try again.",
    });
    expect(await db.$count(files, eq(files.ownerId, patient.id))).toBe(1);
    await upload(await makePatient(db));
    await db.delete(files).where(eq(files.id, large));
    expect((await upload(patient)).byteSize).toBeGreaterThan(0);
  });
  it("is not exceeded by concurrent uploads", async () => {
    const patient = await makePatient(db);
    const { byteSize, id } = await upload(patient);
    await db.delete(files).where(eq(files.id, id));
    // Room for two of them.
    await addFile(patient.id, "medical-record", STORAGE_PER_ACCOUNT - 2 * byteSize);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => upload(patient)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    for (const one of results) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "too-large" });
  });
});
