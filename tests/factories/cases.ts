/** Submitted doctor applications with documents, encrypted numbers and a bank account. */
import { eq } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import {
  auditLog,
  DOCUMENT_KINDS,
  type DocumentKind,
  doctorBankAccounts,
  doctorDocuments,
  doctors,
  files,
  hospitalReviewers,
  hospitals,
  users,
  verificationEvents,
} from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { listCaseDocuments } from "#app/domains/credentials/cases/documents-of-case.server.ts";
import { encrypt, hmac } from "#app/lib/crypto.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { ownNow } from "../setup/own-day.ts";
import { makeDoctor, makeStaff, type TestDoctor } from "./people.ts";
import { jpeg } from "./pictures.ts";
import { plain } from "./plain.ts";

let counter = 0;

export type TestHospital = { id: string; name: string };
export async function makeHospital(db: Database, over: Partial<typeof hospitals.$inferInsert> = {}): Promise<TestHospital> {
  const name = over.name ?? `Proof Hospital ${++counter}`;
  const [row] = await db
    .insert(hospitals)
    .values({ category: "Hospital", address: "1 Main Road, Vijayawada", city: "Vijayawada", state: "Andhra Pradesh", ...over, name })
    .returning({ id: hospitals.id });
  return { id: row!.id, name };
}

/** Inserts a reviewer of these hospitals. */
export async function makeReviewer(db: Database, ...of: TestHospital[]): Promise<Actor & { email: string; phone: string }> {
  const reviewer = await makeStaff(db, "reviewer");
  if (of.length) await db.insert(hospitalReviewers).values(of.map((h) => ({ hospitalId: h.id, userId: reviewer.userId })));
  return named(db, reviewer, `Reviewer ${++counter}`);
}
export const makeAdmin = async (db: Database) => named(db, await makeStaff(db, "admin"), `Admin ${++counter}`);

async function named(db: Database, actor: Actor, staffName: string) {
  const [row] = await db
    .update(users)
    .set({ staffName })
    .where(eq(users.id, actor.userId))
    .returning({ email: users.email, phone: users.phone });
  return { ...actor, email: row!.email!, phone: row!.phone! };
}

/** `version`: the value of the form's version field right after the case was made. */
export type TestDocument = { id: string; fileId: string; kind: DocumentKind; version: string };
export type TestCase = TestDoctor & {
  documents: TestDocument[];
  /** Value of the form's `seen` field. */
  seen: string;
  numbers: { aadhaar: string; pan: string; account: string };
};

type Over = {
  status?: RegistrationStatus;
  hospital?: TestHospital | null;
  name?: string;
  submittedAt?: Date;
  /** Encryption key of the numbers: that of the server. */
  key: string;
  decided?: "matches";
  /** Stores the documents, as small pictures. Default: rows only. */
  put?: (key: string, bytes: Buffer) => Promise<void>;
  approvedBy?: string;
  /** Ids of reviewers and administrators who have opened every document. */
  openedBy?: string[];
  slots?: TestDoctor["slots"];
};

/** Inserts a doctor's case, by default one under review by the hospital. */
export async function makeCase(db: Database, over: Over): Promise<TestCase> {
  const status = over.status ?? "under review by hospital";
  const doctor = await makeDoctor(db, { status, ...(over.name ? { name: over.name } : {}), slots: over.slots ?? [] });
  const n = ++counter;
  const submittedAt = over.submittedAt ?? new Date(ownNow().getTime() - 3 * 86_400_000 - n * 60_000);
  const numbers = {
    aadhaar: `7${String(10_000_000_000 + n * 7919)}`,
    pan: `CANRY${String(1000 + n)}Z`,
    account: `55501${String(1_000_000 + n * 31)}`,
  };
  const seal = (table: string, kind: keyof typeof numbers) => encrypt(numbers[kind], [over.key], `${table}|${kind}|${doctor.id}`);
  await db
    .update(doctors)
    .set({
      hospitalId: over.hospital?.id ?? null,
      submittedAt: status === "draft" ? null : submittedAt,
      councilName: "Andhra Pradesh Medical Council",
      councilNumber: `PROOF/${n}`,
      councilYear: 2012,
      dateOfBirth: "1985-04-12",
      gender: "female",
      qualifications: [{ degree: "MBBS", universityCollege: "Guntur Medical College", year: 2010 }],
      aadhaarSealed: seal("doctors", "aadhaar"),
      aadhaarMac: hmac(numbers.aadhaar, over.key, "aadhaar"),
      aadhaarLast4: numbers.aadhaar.slice(-4),
      panSealed: seal("doctors", "pan"),
      panMac: hmac(numbers.pan, over.key, "pan"),
      panLast4: numbers.pan.slice(-4),
    })
    .where(eq(doctors.id, doctor.id));
  await db.insert(doctorBankAccounts).values({
    doctorId: doctor.id,
    bankName: "Proof Bank",
    bankBranch: "Guntur",
    accountHolderName: "Proof Doctor",
    accountSealed: seal("doctor_bank_accounts", "account"),
    accountLast4: numbers.account.slice(-4),
    ifscCode: "PROO0001234",
  });
  const forAdmin = status === "pending admin approval" && over.decided === "matches";
  for (const kind of DOCUMENT_KINDS)
    await addDocument(db, doctor.id, kind, { ...over, submittedAt, attached: status !== "draft", forAdmin });
  const documents = await listCaseDocuments({ db } as Ctx, doctor.id, { gathering: true });
  const event = (
    action: string,
    fromStatus: string,
    toStatus: string,
    byUserId: string,
    byRole: "doctor" | "reviewer",
    minutes: number,
  ) => ({
    doctorId: doctor.id,
    action,
    fromStatus,
    toStatus,
    byUserId,
    byRole,
    at: new Date(submittedAt.getTime() + minutes * 60_000),
  });
  if (status !== "draft")
    await db.insert(verificationEvents).values(event("submit", "draft", "under review by hospital", doctor.id, "doctor", 0));
  if (over.approvedBy)
    await db
      .insert(verificationEvents)
      .values(event("hospital-approve", "under review by hospital", "pending admin approval", over.approvedBy, "reviewer", 60));
  const sent = documents.map((document) => ({ ...document, fileId: document.fileId! }));
  for (const by of over.openedBy ?? []) await openDocuments(db, by, sent);
  return { ...doctor, documents: sent, seen: status === "draft" ? "" : submittedAt.toISOString(), numbers };
}

/** Records in the audit log that this user has opened these documents. */
export async function openDocuments(db: Database, by: string, documents: { fileId: string }[]): Promise<void> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.id, by));
  const row = { actorId: by, actorRole: user!.role, action: "read-document", subjectType: "file" };
  await db.insert(auditLog).values(documents.map(({ fileId }) => ({ ...row, subjectId: fileId })));
}

/** Inserts a document of a doctor. */
async function addDocument(
  db: Database,
  doctorId: string,
  kind: DocumentKind,
  over: {
    attached?: boolean;
    forAdmin?: boolean;
    approvedBy?: string;
    decided?: "matches";
    submittedAt?: Date;
    put?: (key: string, bytes: Buffer) => Promise<void>;
  } = {},
): Promise<void> {
  const storageKey = `doctor-document/${randomToken()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")}`;
  const bytes = over.put ? await jpeg() : Buffer.from(`picture of ${kind}`);
  await over.put?.(storageKey, bytes);
  const createdAt = over.submittedAt ?? new Date();
  const [file] = await db
    .insert(files)
    .values({
      ownerId: doctorId,
      purpose: "doctor-document",
      status: over.attached === false ? "pending" : "attached",
      storageKey,
      mediaType: "image/jpeg",
      byteSize: bytes.byteLength,
      width: 1200,
      height: 800,
      originalName: plain(`${kind}.jpg`),
      createdAt,
    })
    .returning({ id: files.id });
  // Hospital and administrator decide separately.
  const decided = over.forAdmin
    ? { hospitalDecidedBy: over.approvedBy ?? null, hospitalDecidedAt: createdAt }
    : { decision: over.decided ?? ("undecided" as const) };
  await db.insert(doctorDocuments).values({ doctorId, kind, fileId: file!.id, ...decided, createdAt });
}

/** Returns the fields that the page of a case posts. */
export function decisionFields(
  of: TestCase,
  intent: string,
  decisions: (("matches" | "ask-again") | [string])[] = [],
  note = "",
): Record<string, string> {
  const fields: Record<string, string> = { intent, seen: of.seen, note };
  of.documents.forEach((document, i) => {
    fields[`documents[${i}].id`] = document.id;
    fields[`documents[${i}].version`] = document.version;
    const decision = decisions[i] ?? decisions[0];
    if (decision === undefined) return;
    fields[`documents[${i}].decision`] = Array.isArray(decision) ? "ask-again" : decision;
    fields[`documents[${i}].reason`] = Array.isArray(decision) ? decision[0] : "";
  });
  return fields;
}
