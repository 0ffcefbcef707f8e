/** A patient's photo is shown to the patient and to doctors they have booked. */

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { files, patients } from "#app/db/schema/index.ts";
import { readDoctorAppointment } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { plain } from "../../../../tests/factories/plain.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { openFile } from "./open-file.server.ts";

const { db, sql, ctx } = testDb();

it("is shown to the booked doctor only, and only when the visit is for the person in it", async () => {
  const [booked, other, suspended] = [await makeDoctor(db), await makeDoctor(db), await makeDoctor(db, { status: "suspended" })];
  const patient = await makePatient(db, { name: "Asha Rao" });
  await integrations().storage.put("photo/test", new Uint8Array([1, 2, 3]), "image/jpeg");
  const [file] = await db
    .insert(files)
    .values({
      ownerId: patient.id,
      purpose: "patient-photo",
      status: "attached",
      storageKey: "photo/test",
      mediaType: "image/jpeg",
      byteSize: 3,
      originalName: plain("me.jpg"),
    })
    .returning({ id: files.id });
  const id = file!.id;
  await db.update(patients).set({ photoFileId: id }).where(eq(patients.id, patient.id));
  const own = await makeVisit(db, { patient, doctor: booked }, { name: " asha rao", status: "accepted" });
  const family = await makeVisit(db, { patient, doctor: booked }, { name: "Grandmother", time: "11:00", status: "accepted" });
  await makeVisit(db, { patient, doctor: suspended }, { status: "accepted" });

  expect((await openFile(ctx(patient.actor), id)).bytes).toHaveLength(3);
  expect((await openFile(ctx(booked.actor), id)).bytes).toHaveLength(3);
  for (const actor of [
    other.actor,
    suspended.actor,
    (await makePatient(db)).actor,
    await makeStaff(db, "reviewer"),
    await makeStaff(db, "admin"),
  ])
    await expect(openFile(ctx(actor), id)).rejects.toMatchObject({ code: "not-found" });
  expect((await readDoctorAppointment(ctx(booked.actor), own)).photoFileId).toBe(id);
  expect((await readDoctorAppointment(ctx(booked.actor), family)).photoFileId).toBeNull();
  expect(await sql`select action from audit_log where subject_id = ${id}`).toMatchObject([{ action: "read-photo" }]);
});
