/** Documents are scanned before they are stored, where ClamAV is configured. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { clamd } from "#app/integrations/virus-scan/clamd.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { pdf } from "../../../../tests/factories/pdfs.ts";
import { makePatient, type Person } from "../../../../tests/factories/people.ts";
import { photoWithPlace } from "../../../../tests/factories/pictures.ts";
import { type Behaviour, type Clamd, EICAR, startClamd } from "../../../../tests/mocks/clamd.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { storeChatFile } from "./store-chat-file.server.ts";
import { storeMedicalRecord } from "./store-medical-record.server.ts";

const { db, sql, ctx } = testDb();
let scanner: Clamd;
let patient: Person;
beforeAll(async () => {
  scanner = await startClamd();
});
afterAll(() => scanner.close());
beforeEach(async () => {
  scanner.behave = "scan";
  scanner.received.length = 0;
  patient = await makePatient(db);
});
/** `limit` of one scan, in milliseconds. */
const own = (limit = 1_000) => {
  const plain = ctx(patient.actor);
  return { ...plain, integrations: { ...plain.integrations, virusScan: clamd({ host: "127.0.0.1", port: scanner.port }, limit) } };
};
const stored = async () => Number((await sql`select count(*) as n from files where owner_id = ${patient.id}`)[0]!.n);
const document = (text: string) => pdf({ filling: Buffer.from(text) });
/** The old Word format: a compound file. */
const doc = (text: string) =>
  Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(2_048), Buffer.from("WordDocument", "utf16le"), Buffer.from(text)]);

it("stores a clean PDF as it was scanned, and does not send photos to the scanner", async () => {
  const bytes = document("Haemoglobin 12.1");
  expect(await storeMedicalRecord(own(), { name: "report.pdf", bytes })).toMatchObject({ name: "report.pdf" });
  await storeMedicalRecord(own(), { name: "photo.jpg", bytes: await photoWithPlace() });
  expect([await stored(), scanner.received.length]).toEqual([2, 1]);
  expect(bytes.subarray(0, scanner.received[0]!.length).equals(scanner.received[0]!)).toBe(true);
});

it("refuses an infected document and stores nothing of it", async () => {
  const infected = { code: "unsupported-type", sentence: expect.stringContaining("may contain a virus") };
  await expect(storeMedicalRecord(own(), { name: "report.pdf", bytes: document(EICAR) })).rejects.toMatchObject(infected);
  await expect(storeChatFile(own(), { name: "report.pdf", bytes: document(EICAR) })).rejects.toMatchObject(infected);
  await expect(storeChatFile(own(), { name: "report.doc", bytes: doc(EICAR) })).rejects.toMatchObject(infected);
  expect(await stored()).toBe(0);
  expect(await storeChatFile(own(), { name: "report.doc", bytes: doc("A report.") })).toMatchObject({ name: "report.doc" });
});

it.each(["silent", "slow", "close", "close-early", "reset", "error", "garbage"] satisfies Behaviour[])(
  "refuses documents in the user's language while the scanner is: %s, and takes photos",
  async (behave) => {
    scanner.behave = behave;
    for (const [language, words] of [
      ["en", "Documents cannot be checked for viruses right now."],
      ["te", "వైరస్"],
      ["hi", "वायरस"],
    ] as const)
      await withLanguage(language, () =>
        expect(storeMedicalRecord(own(200), { name: "report.pdf", bytes: document("x") })).rejects.toMatchObject({
          code: "unavailable",
          sentence: expect.stringContaining(words),
        }),
      );
    expect(await stored()).toBe(0);
    await storeMedicalRecord(own(200), { name: "photo.jpg", bytes: await photoWithPlace() });
    expect(await stored()).toBe(1);
  },
);

it("stores documents unscanned where no scanner is configured", async () => {
  await storeMedicalRecord(ctx(patient.actor), { name: "report.pdf", bytes: document(EICAR) });
  expect([await stored(), scanner.received.length]).toEqual([1, 0]);
});
