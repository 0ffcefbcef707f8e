import { randomUUID } from "node:crypto";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { pgTable, uuid } from "drizzle-orm/pg-core";
import { beforeEach, describe, expect, it } from "vitest";
import { sealedText } from "#app/db/schema/columns.ts";
import {
  appointments,
  bookingDrafts,
  chatMessages,
  conversations,
  familyMembers,
  files,
  medicalRecords,
  sealingProgress,
} from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { getBookingDraft } from "#app/domains/booking/appointments/booking-draft.server.ts";
import { areSealed } from "#app/domains/platform/files/stored-bytes.server.ts";
import { sweepFiles } from "#app/domains/platform/files/sweep-files.server.ts";
import { openFile } from "#app/domains/privacy/file-access/open-file.server.ts";
import { encrypt } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { makeDoctor, makePatient, makeVisit, type Person } from "../../../../tests/factories/people.ts";
import { plain } from "../../../../tests/factories/plain.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { sealExisting } from "./seal-existing.server.ts";

const { db, ctx, sql: raw } = testDb();
let patient: Person;
let doctor: Person;
beforeEach(async () => {
  patient = await makePatient(db);
  doctor = await makeDoctor(db);
  await db.delete(sealingProgress);
});

/** Returns the stored value as the database has it. */
const stored = async (id: string) => (await raw`select reason, medical_history as history from appointments where id = ${id}`)[0]!;
const history = async (id: string) =>
  (
    await db
      .select({ reason: opened(appointments.reason), text: opened(appointments.medicalHistory), note: opened(appointments.patientNote) })
      .from(appointments)
      .where(eq(appointments.id, id))
  )[0]!;

describe("a sealed column", () => {
  it("is ciphertext in the database and is read as written, null as null, in any script", async () => {
    const id = await makeVisit(db, { patient, doctor }, { reason: "పంటి నొప్పి 🦷 v1.x", history: "Asthma since 2001" });
    expect(JSON.stringify(await stored(id))).not.toMatch(/Asthma|నొప్పి/);
    expect(await history(id)).toEqual({ reason: "పంటి నొప్పి 🦷 v1.x", text: "Asthma since 2001", note: null });
  });
  it("refuses plain text, also in a comparison that would never match", async () => {
    const id = await makeVisit(db, { patient, doctor });
    await expect(async () =>
      db
        .update(appointments)
        .set({ reason: "plain" as never })
        .where(eq(appointments.id, id)),
    ).rejects.toThrow("plain text for a sealed column");
    await expect(async () =>
      db
        .select()
        .from(appointments)
        .where(eq(appointments.reason, "plain" as never)),
    ).rejects.toThrow("plain text for a sealed column");
  });
  it("does not open in another row or another column", async () => {
    const [one, other] = [
      await makeVisit(db, { patient, doctor }, { history: "one" }),
      await makeVisit(
        db,
        { patient, doctor },
        {
          date: "2031-01-02",
          history: "other",
        },
      ),
    ];
    await raw`update appointments set medical_history = (select medical_history from appointments where id = ${one}) where id = ${other}`;
    await expect(history(other)).rejects.toThrow();
    await raw`update appointments set patient_note = medical_history where id = ${one}`;
    await expect(history(one)).rejects.toThrow();
  });
  it("reads text from before encryption", async () => {
    const id = await makeVisit(db, { patient, doctor });
    await raw`update appointments set reason = 'Fever and a cough', medical_history = 'v1.0 of nothing' where id = ${id}`;
    expect(await history(id)).toMatchObject({ reason: "Fever and a cough", text: "v1.0 of nothing" });
  });
});

describe("a table that a trigger makes immutable", () => {
  const notes = pgTable("proof_notes", {
    id: uuid().primaryKey(),
    dataKey: sealedText("server").notNull(),
    text: sealedText("row").notNull(),
  });
  it("encrypts under a data key of the row, so that only that column changes with a rotation", async () => {
    await raw`create table proof_notes (id uuid primary key, data_key text not null, text text not null)`;
    const [id, key] = [randomUUID(), randomUUID()];
    await db
      .insert(notes)
      .values({ id, dataKey: sealed(notes.dataKey, id, key), text: sealed(notes.text, id, "Blood pressure 120/80", [key]) });
    const read = () => db.select({ text: opened(notes.text, notes.dataKey) }).from(notes);
    expect(await read()).toEqual([{ text: "Blood pressure 120/80" }]);
    const [before] = await raw`select text from proof_notes`;
    expect(before!.text).not.toContain("Blood");
    await db.update(notes).set({ dataKey: sealed(notes.dataKey, id, key) });
    expect(await read()).toEqual([{ text: "Blood pressure 120/80" }]);
    expect((await raw`select text from proof_notes`)[0]).toEqual(before);
  });
});

describe("rows and files from before", () => {
  const put = (key: string, bytes: string) => ctx().integrations.storage.put(key, Buffer.from(bytes), "image/jpeg");
  const get = (key: string) => ctx().integrations.storage.get(key);
  async function oldFile(over: { dataKey?: SQL; bytes?: string } = {}) {
    const storageKey = `medical-record/${randomUUID()}`;
    if (over.bytes !== "") await put(storageKey, over.bytes ?? "JFIF old bytes");
    const [row] = await db
      .insert(files)
      .values({
        ownerId: patient.id,
        purpose: "medical-record",
        storageKey,
        mediaType: "image/jpeg",
        byteSize: 14,
        originalName: plain("old name.jpg"),
      })
      .returning({ id: files.id });
    return { id: row!.id, storageKey };
  }
  const content = async (id: string) => Buffer.from((await openFile(ctx(patient.actor), id)).bytes).toString();

  it("are encrypted by the job, in parts, and are read the same before and after", async () => {
    const visit = await makeVisit(db, { patient, doctor });
    const file = await oldFile();
    await raw`update appointments set reason = 'Old fever', medical_history = 'Old asthma', blood_group = 'B+' where id = ${visit}`;
    const [record] = await db
      .insert(medicalRecords)
      .values({ appointmentId: visit, fileId: file.id, recordType: "xray", description: plain("Old chest") })
      .returning({ id: medicalRecords.id });
    await raw`insert into family_members (patient_id, name, relation, gender, blood_group, age, age_on) values (${patient.id}, 'Old Aunt', 'other', 'female', 'AB-', 70, '2026-01-01')`;
    const [chat] = await raw`insert into conversations (owner_id, title) values (${patient.id}, 'Old title') returning id`;
    await raw`insert into chat_messages (conversation_id, role, state, content, sources, doctor_ids)
      values (${chat!.id}, 'assistant', 'answered', 'Old answer', '[{"label":"Old label"}]', ${JSON.stringify([doctor.id])}::text::jsonb)`;
    await raw`insert into booking_drafts (patient_id, doctor_id, values, records) values (${patient.id}, ${doctor.id}, '{"reason":"Old draft"}',
      ${JSON.stringify([{ fileId: file.id, recordType: "xray", description: "Old words" }])}::text::jsonb)`;
    const read = async () => ({
      visit: await db
        .select({ a: opened(appointments.reason), b: opened(appointments.medicalHistory), c: opened(appointments.bloodGroup) })
        .from(appointments)
        .where(eq(appointments.id, visit)),
      record: await db
        .select({ a: opened(medicalRecords.description) })
        .from(medicalRecords)
        .where(eq(medicalRecords.id, record!.id)),
      family: await db
        .select({ a: opened(familyMembers.bloodGroup) })
        .from(familyMembers)
        .where(eq(familyMembers.patientId, patient.id)),
      chats: await db
        .select({ a: opened(conversations.title) })
        .from(conversations)
        .where(eq(conversations.ownerId, patient.id)),
      messages: await db
        .select({ a: opened(chatMessages.content), b: opened(chatMessages.sources), c: opened(chatMessages.doctorIds) })
        .from(chatMessages)
        .where(eq(chatMessages.conversationId, chat!.id)),
      draft: await getBookingDraft(ctx(patient.actor), doctor.id),
      file: await content(file.id),
      name: await db
        .select({ a: opened(files.originalName) })
        .from(files)
        .where(eq(files.id, file.id)),
    });
    const before = await read();
    expect(before.messages[0]).toEqual({ a: "Old answer", b: [{ label: "Old label" }], c: [doctor.id] });
    expect(before.file).toBe("JFIF old bytes");
    expect(await sealExisting(ctx())).toBeGreaterThan(10);
    expect(await read()).toEqual(before);
    const dump = JSON.stringify(
      await Promise.all(
        ["appointments", "medical_records", "family_members", "conversations", "chat_messages", "booking_drafts", "files"].map((table) =>
          raw.unsafe(`select * from ${table}`),
        ),
      ),
    );
    for (const word of [
      "Old fever",
      "Old asthma",
      '"B+"',
      "Old chest",
      '"AB-"',
      "Old title",
      "Old answer",
      "Old label",
      "Old draft",
      "Old words",
      "old name",
    ])
      expect(dump).not.toContain(word);
    expect(areSealed((await get(file.storageKey))!)).toBe(true);
    // Finished parts are not repeated, and the sweep still finds the file of the draft.
    expect(await sealExisting(ctx())).toBe(0);
    await raw`update files set created_at = now() - interval '3 days' where id = ${file.id}`;
    await raw`delete from medical_records where file_id = ${file.id}`;
    await sweepFiles(ctx());
    expect(await content(file.id)).toBe("JFIF old bytes");
  });

  it("continue after a crash between the key and the bytes, and between the bytes and the mark", async () => {
    const [early, late] = [await oldFile(), await oldFile()];
    for (const { id } of [early, late])
      await db
        .update(files)
        .set({ dataKey: sealed(files.dataKey, id, Buffer.alloc(32, 7).toString("base64url")) })
        .where(eq(files.id, id));
    expect(await content(early.id)).toBe("JFIF old bytes");
    await sealExisting(ctx());
    await raw`update files set sealed = false where id = ${late.id}`;
    await db.delete(sealingProgress);
    const bytes = Buffer.from((await get(late.storageKey))!);
    await sealExisting(ctx());
    expect(Buffer.from((await get(late.storageKey))!)).toEqual(bytes);
    for (const { id } of [early, late]) expect(await content(id)).toBe("JFIF old bytes");
    expect(await db.$count(files, and(eq(files.ownerId, patient.id), eq(files.sealed, false)))).toBe(0);
  });

  it("may be encrypted by two processes at once, while one row is deleted", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => oldFile()));
    const gone = made[3]!;
    await Promise.all([
      sealExisting(ctx()),
      sealExisting(ctx()),
      db.delete(files).where(eq(files.id, gone.id)),
      ...made.filter((file) => file !== gone).map(async (file) => expect(await content(file.id)).toBe("JFIF old bytes")),
    ]);
    for (const file of made) if (file !== gone) expect(await content(file.id)).toBe("JFIF old bytes");
    const left = await get(gone.storageKey);
    // The sweep deletes the plain bytes of a row deleted before its turn. What this job wrote is encrypted under a deleted key.
    if (left) expect(Buffer.from(left).toString()).toBe("JFIF old bytes");
  });

  it("stops at its time limit and continues at the same place", async () => {
    await makeVisit(db, { patient, doctor });
    await raw`update appointments set reason = 'Again old'`;
    expect(await sealExisting(ctx(), { until: 0 })).toBe(0);
    await db.insert(sealingProgress).values({ part: "appointments", after: ["ffffffff-ffff-4fff-bfff-ffffffffffff"] });
    await sealExisting(ctx());
    expect((await raw`select from appointments where reason = 'Again old'`).length).toBeGreaterThan(0);
    // The next day it starts again from the beginning.
    await sealExisting(ctx(null, new Date(Date.now() + 25 * 3_600_000)));
    expect((await raw`select from appointments where reason = 'Again old'`).length).toBe(0);
  });

  it("refuses an encrypted file that was replaced, changed or moved", async () => {
    const [one, other] = [await oldFile(), await oldFile()];
    await sealExisting(ctx());
    const bytes = Buffer.from((await get(one.storageKey))!);
    await ctx().integrations.storage.put(one.storageKey, Buffer.from("planted"), "image/jpeg");
    await expect(content(one.id)).rejects.toThrow("not what was sealed");
    bytes[bytes.length - 1]! ^= 1;
    await ctx().integrations.storage.put(one.storageKey, bytes, "image/jpeg");
    await expect(content(one.id)).rejects.toThrow();
    await ctx().integrations.storage.put(one.storageKey, (await get(other.storageKey))!, "image/jpeg");
    await expect(content(one.id)).rejects.toThrow();
  });

  it("preserves what a user writes while the job encrypts it", async () => {
    const id = await makeVisit(db, { patient, doctor });
    await raw`update appointments set reason = 'Before' where id = ${id}`;
    const write = db
      .update(appointments)
      .set({ reason: sealed(appointments.reason, id, "After") })
      .where(eq(appointments.id, id));
    await Promise.all([sealExisting(ctx()), write]);
    expect((await history(id)).reason).toBe("After");
  });
});

it("a value under a removed key is an error and never an empty text", async () => {
  const id = await makeVisit(db, { patient, doctor });
  const lost = encrypt("lost", ["a key that this server does not have ......"], `appointments|reason|${id}`);
  await raw`update appointments set reason = ${lost} where id = ${id}`;
  await expect(history(id)).rejects.toThrow("cannot be decrypted");
  expect(env().encryptionKeys).toHaveLength(1);
  await db.update(appointments).set({ reason: sql`'x'` }).where(eq(appointments.id, id));
  await db.update(bookingDrafts).set({ updatedAt: new Date() });
});
