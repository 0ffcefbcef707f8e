import { expect, it } from "vitest";
import { saveBookingDraft } from "#app/domains/booking/appointments/booking-draft.server.ts";
import { openFile } from "#app/domains/privacy/file-access/open-file.server.ts";
import { days } from "#app/lib/durations.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person } from "../../../../tests/factories/people.ts";
import { photoWithPlace, png } from "../../../../tests/factories/pictures.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { displayName } from "./images.server.ts";
import { storeImage } from "./store-image.server.ts";
import { sweepFiles } from "./sweep-files.server.ts";

const { db, sql, ctx } = testDb();
const later = (count: number) => new Date(Date.now() + days(count));
const store = async (who: Person, name = "a.jpg") =>
  (await storeImage(ctx(who.actor), { purpose: "medical-record", name, bytes: await photoWithPlace() })).id;
const keyOf = async (id: string) => (await sql<{ storage_key: string }[]>`select storage_key from files where id = ${id}`)[0]?.storage_key;
const bytesOf = (key: string) => ctx().integrations.storage.get(key);

it("the sweep deletes a day-old unattached file with its bytes, and leaves recent, drafted and attached ones", async () => {
  const [patient, doctor] = [await makePatient(db), await makeDoctor(db)];
  const [orphan, drafted, attached] = [await store(patient), await store(patient), await store(patient)];
  await saveBookingDraft(ctx(patient.actor), doctor.id, {
    values: { name: "Sita" },
    records: [{ fileId: drafted, recordType: "other", description: "x" }],
  });
  const visit = await makeVisit(db, { patient, doctor }, { date: dayFromNow(7) });
  await sql`update files set status = 'attached' where id = ${attached}`;
  await sql`insert into medical_records (appointment_id, file_id, record_type, description) values (${visit}, ${attached}, 'other', 'x')`;
  const key = (await keyOf(orphan))!;
  expect(await sweepFiles(ctx(null, later(0.9)))).toBe(0);
  expect(await bytesOf(key)).not.toBeNull();
  expect(await sweepFiles(ctx(null, later(1.1)))).toBe(1);
  expect(await keyOf(orphan)).toBeUndefined();
  expect(await bytesOf(key)).toBeNull();
  for (const stored of [drafted, attached]) expect(await bytesOf((await keyOf(stored))!)).not.toBeNull();
  // A draft that is a month old is deleted with its documents. Attached files remain.
  expect(await sweepFiles(ctx(null, later(31)))).toBe(1);
  expect(await keyOf(drafted)).toBeUndefined();
  expect((await openFile(ctx(doctor.actor), attached)).mediaType).toBe("image/jpeg");
});

it("a draft accepts the patient's own files only", async () => {
  const [patient, other, doctor] = [await makePatient(db), await makePatient(db), await makeDoctor(db)];
  const [own, theirs] = [await store(patient), await store(other)];
  const record = (fileId: string) => ({ fileId, recordType: "other" as const, description: "x" });
  const stored = await saveBookingDraft(ctx(patient.actor), doctor.id, { values: {}, records: [record(own), record(theirs)] });
  expect(stored.map((r) => r.fileId)).toEqual([own]);
});

it("accepts 60 uploads an hour per user", async () => {
  const patient = await makePatient(db);
  const bytes = await png(4, 4);
  const once = () =>
    storeImage(ctx(patient.actor), { purpose: "medical-record", name: "x.png", bytes }).then(
      () => "stored",
      (e: { code?: string }) => e.code,
    );
  const outcomes: (string | undefined)[] = [];
  for (let i = 0; i < 62; i++) outcomes.push(await once());
  expect(outcomes.filter((o) => o === "stored")).toHaveLength(60);
  expect(outcomes.slice(60)).toEqual(["too-many", "too-many"]);
});

it.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\sita\\report.png", "report.png"],
  ['a"b<c>|d:*?.jpg', "abcd.jpg"],
  ["\u202egpj.exe", "gpj.exe"],
  ["नुस्खा.jpg", "नुस्खा.jpg"],
  ["", "document.jpg"],
  ["\u0000\u0001", "document.jpg"],
  [`${"x".repeat(300)}.jpg`, `${"x".repeat(116)}.jpg`],
])("displays the name %j as %j", (name, shown) => expect(displayName(name)).toBe(shown));
