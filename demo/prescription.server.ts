import { and, desc, eq, notExists, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { appointments, domainEvents, encounters, users, visitDocuments, visitNotes } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { composeHeads } from "#app/domains/visit/documents/compose.server.ts";
import type { PrescriptionContent } from "#app/domains/visit/documents/content.ts";
import { newCode, sealDocument } from "#app/domains/visit/documents/seal-document.server.ts";
import type { OwnVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { EMPTY_LINE, readLine } from "#app/domains/visit/medicines/line.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { BASE_LANGUAGE } from "#app/lib/language.ts";
import { demoId } from "./ids.server.ts";
import { DOCTORS, PATIENTS } from "./people.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";

const DOCUMENT = demoId("prescription");
const [DOCTOR, PATIENT] = [demoId(`doctor ${DOCTORS[0]!.fullName}`), demoId(`patient ${PATIENTS[0]!.name}`)];

/** As the doctor types them. */
const MEDICINES = [
  { name: "Amlodipine", strength: "5 mg", morning: "1", days: "30", quantity: "30" },
  { name: "Atorvastatin", strength: "10 mg", night: "1", days: "30", quantity: "30" },
  { name: "Paracetamol", strength: "500 mg", morning: "1", days: "5", asNeeded: "on", words: "For headache, at most 4 a day" },
];
const DIAGNOSIS = { diagnosis: "Essential hypertension", diagnosisCode: "I10" };

/**
 * Signs a prescription for the demo patient's last visit to the demo doctor. Idempotent; does nothing without demo data, or when the doctor has written
 * for each of these visits already.
 */
export async function seedDemoPrescription(ctx: SeedCtx): Promise<void> {
  const isThere = async (db: Pick<SeedCtx["db"], "$count">) => (await db.$count(visitDocuments, eq(visitDocuments.id, DOCUMENT))) > 0;
  if (await isThere(ctx.db)) return;
  await locked(ctx, async (db) => {
    if (await isThere(db)) return;
    const visit = await findVisit(db);
    if (visit?.completedAt) await sign(db, ctx, visit, visit.completedAt);
  });
}

async function findVisit(db: Tx) {
  const [visit] = await db
    .select({
      id: appointments.id,
      practiceId: appointments.practiceId,
      date: appointments.date,
      completedAt: appointments.completedAt,
      patient: {
        name: appointments.patientName,
        age: appointments.patientAge,
        birthDate: appointments.patientBirthDate,
        gender: appointments.patientGender,
      },
      language: users.language,
    })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.patientId))
    .where(
      and(
        eq(appointments.patientId, PATIENT),
        eq(appointments.doctorId, DOCTOR),
        eq(appointments.status, "completed"),
        notExists(db.select({ one: sql`1` }).from(encounters).where(eq(encounters.id, appointments.id))),
      ),
    )
    .orderBy(desc(appointments.date))
    .limit(1);
  return visit;
}

type Visit = NonNullable<Awaited<ReturnType<typeof findVisit>>>;

async function sign(db: Tx, { keys }: SeedCtx, { completedAt: _, language, patient, ...row }: Visit, signedAt: Date): Promise<void> {
  const [own, stamps] = [
    { db, now: signedAt },
    { createdAt: signedAt, updatedAt: signedAt },
  ];
  const visit: OwnVisit = {
    ...row,
    patient,
    doctorId: DOCTOR,
    patientId: PATIENT,
    appointmentId: row.id,
    queueEntryId: null,
    personKey: await personKeyOf(own, PATIENT, patient.name, keys),
    language: language ?? BASE_LANGUAGE,
    begun: true,
  };
  const { language: __, begun: ___, ...encounter } = visit;
  await db.insert(encounters).values({ ...encounter, patient: sealed(encounters.patient, visit.id, patient, keys), ...stamps });
  const { heads } = await composeHeads(own, visit, { patientAge: "", patientGender: "", language: visit.language });
  const content: PrescriptionContent = {
    ...heads,
    ...DIAGNOSIS,
    id: DOCUMENT,
    code: newCode(),
    kind: "prescription",
    signedAt: signedAt.toISOString(),
    replaces: null,
    allergies: "",
    noneKnown: null,
    lines: MEDICINES.flatMap((typed) => {
      const read = readLine({ ...EMPTY_LINE, ...typed });
      return read.problems ? [] : [read.line];
    }),
    advice: ["less-salt", "walk"],
    adviceWords: "",
    followUpOn: null,
  };
  const { columns } = await sealDocument(own, content, keys);
  await db.insert(visitDocuments).values({ ...columns, id: DOCUMENT, encounterId: visit.id, kind: "prescription", version: 1, ...stamps });
  const note = {
    ...DIAGNOSIS,
    complaint: "Headaches in the morning",
    findings: "BP 148/92, pulse 76 regular",
    allergies: "",
    conditions: "",
  };
  const noteKey = randomToken();
  await db.insert(visitNotes).values({
    documentId: DOCUMENT,
    dataKey: sealed(visitNotes.dataKey, DOCUMENT, noteKey, keys),
    content: sealed(visitNotes.content, DOCUMENT, note, [noteKey]),
    signedAt,
  });
  // The check of a document compares its state with its events.
  const event = { subjectKind: "visit-document", subjectId: DOCUMENT, actorId: DOCTOR, doctorId: DOCTOR, at: signedAt };
  await db.insert(domainEvents).values([
    { ...event, kind: "visit-document.write", data: { to: "draft" } },
    { ...event, kind: "visit-document.sign", data: { to: "signed" } },
  ]);
}
