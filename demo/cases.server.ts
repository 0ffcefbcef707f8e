import { randomBytes } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import {
  appointments,
  availabilitySlots,
  DOCUMENT_KINDS,
  type DocumentKind,
  doctorBankAccounts,
  doctorDocuments,
  doctors,
  files,
  hospitalReviewers,
  hospitals,
  type Role,
  users,
  verificationEvents,
} from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { VERIFICATION_ACTIONS, type VerificationAction } from "#app/domains/credentials/cases/verification.state.ts";
import { identityHash } from "#app/domains/credentials/identity/identity-hash.server.ts";
import { last4Of, macOf, sealNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { putSealed } from "#app/domains/platform/files/stored-bytes.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { addDays, addMonths, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { hours } from "#app/lib/durations.ts";
import { fromRupees } from "#app/lib/money.ts";
import { CASES, type DemoCase, PROPOSED_HOSPITAL, SUSPENDED_VISITS } from "./case-people.ts";
import { drawDocument } from "./documents.server.ts";
import { demoId } from "./ids.server.ts";
import { DEMO_PASSWORD, HOSPITALS, PATIENTS, STAFF } from "./people.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";

const idOf = (person: DemoCase) => demoId(`case ${person.fullName}`);
const REVIEWER = demoId("reviewer");
const ADMIN = demoId("admin");
const PROPOSED = demoId(`hospital ${PROPOSED_HOSPITAL.name}`);
const hospitalIdOf = (name: string) => (name === PROPOSED_HOSPITAL.name ? PROPOSED : demoId(`hospital ${name}`));

/**
 * Inserts demo data of the staff pages: doctors in every status, the reviewer's hospital, a hospital to confirm. Idempotent; does
 * nothing without demo data.
 */
export async function seedDemoCases(ctx: SeedCtx): Promise<void> {
  const isThere = async (db: Pick<SeedCtx["db"], "select">, id: string) =>
    (await db.select({ id: users.id }).from(users).where(eq(users.id, id))).length > 0;
  const first = idOf(CASES[0]!);
  if ((await isThere(ctx.db, first)) || !(await isThere(ctx.db, REVIEWER))) return;
  await locked(ctx, async (db) => {
    if (await isThere(db, first)) return;
    await nameStaff(db, ctx.now);
    const passwords = await Promise.all(CASES.map(() => hashPassword(DEMO_PASSWORD)));
    for (const [i, person] of CASES.entries()) await addAccount(db, person, passwords[i]!, ctx.now);
    await addProposedHospital(db, ctx.now);
    for (const [i, person] of CASES.entries()) if (person.status !== "draft") await addCase(db, person, i, ctx);
    await addSuspendedVisits(db, ctx);
  });
}

async function nameStaff(db: Tx, now: Date): Promise<void> {
  for (const { role, staffName } of STAFF)
    await db
      .update(users)
      .set({ staffName })
      .where(and(eq(users.id, demoId(role)), isNull(users.staffName)));
  await db
    .insert(hospitalReviewers)
    .values({ hospitalId: hospitalIdOf("Krishna Heart Centre"), userId: REVIEWER, createdAt: now })
    .onConflictDoNothing();
}

const before = (now: Date, ago: number) => new Date(now.getTime() - hours(ago));

async function addAccount(db: Tx, person: DemoCase, passwordHash: string, now: Date): Promise<void> {
  const createdAt = before(now, person.age + 20);
  const stamps = { createdAt, updatedAt: createdAt, isDemo: true };
  await db.insert(users).values({ id: idOf(person), role: "doctor", email: person.email, phone: person.phone, passwordHash, ...stamps });
  await db.insert(doctors).values({ id: idOf(person), ...stamps });
}

async function addProposedHospital(db: Tx, now: Date): Promise<void> {
  const person = CASES.find((c) => c.hospital === PROPOSED_HOSPITAL.name)!;
  const createdAt = before(now, person.age);
  await db.insert(hospitals).values({
    id: PROPOSED,
    ...PROPOSED_HOSPITAL,
    category: "Hospital",
    status: "pending",
    proposedBy: idOf(person),
    isDemo: true,
    createdAt,
    updatedAt: createdAt,
  });
}

/** Actions that led to each status, with the hours after submission. */
const STEPS: Partial<Record<DemoCase["status"], [VerificationAction, after: number][]>> = {
  "under review by hospital": [["submit", 0]],
  "pending admin approval": [
    ["submit", 0],
    ["hospital-approve", 26],
  ],
  rejected: [
    ["submit", 0],
    ["hospital-reject", 20],
  ],
  suspended: [
    ["submit", 0],
    ["hospital-approve", 20],
    ["approve", 44],
    ["suspend", 850],
  ],
};
const BY: Record<Role, string | null> = { doctor: null, reviewer: REVIEWER, admin: ADMIN, patient: null, staff: null };
const ASKED_AGAIN = "The last four digits cannot be read. Please photograph the card again in daylight.";
const SUSPENDED_FOR = "Your council registration ran out. Send us the renewed certificate.";

async function addCase(db: Tx, person: DemoCase, index: number, ctx: SeedCtx): Promise<void> {
  const id = idOf(person);
  const today = todayInIndia(ctx.now);
  const submittedAt = before(ctx.now, person.age);
  const steps = STEPS[person.status] ?? [];
  const at = (after: number) => new Date(submittedAt.getTime() + hours(after));
  const last = at(steps.at(-1)?.[1] ?? 0);
  const erasedAt = person.status === "suspended" ? at(44) : null;
  const photoFileId = await addDocuments(db, person, index, { createdAt: submittedAt, erasedAt }, ctx);
  const graduated = Number(today.slice(0, 4)) - person.experienceYears;
  // Impossible numbers: an Aadhaar number never begins with 0 or 1, and no PAN begins with "ZZZZZ".
  const [aadhaar, pan, account] = [`0000${String(11_110_124 + index)}`, `ZZZZZ${String(1001 + index)}Z`, `0000000${String(4471 + index)}`];
  const house = HOSPITALS.find((h) => h.name === person.hospital);
  await db
    .update(doctors)
    .set({
      registrationStatus: person.status,
      fullName: person.fullName,
      category: person.category,
      primarySpecialization: person.primarySpecialization,
      experienceYears: person.experienceYears,
      consultationFee: fromRupees(person.fee),
      about: person.about,
      gender: person.gender,
      dateOfBirth: addDays(addMonths(today, -12 * (27 + person.experienceYears)), -index * 23),
      councilName: "Andhra Pradesh Medical Council",
      councilNumber: `DEMO/${graduated}/${48_213 + index}`,
      councilYear: graduated,
      languages: person.languages,
      qualifications: [{ degree: person.degree, universityCollege: person.college, year: graduated }],
      hospitalId: hospitalIdOf(person.hospital!),
      area: house?.area ?? "",
      city: "Vijayawada",
      state: "Andhra Pradesh",
      latitude: house?.latitude ?? null,
      longitude: house?.longitude ?? null,
      photoFileId,
      aadhaarSealed: erasedAt ? null : sealNumber("aadhaar", id, aadhaar, ctx.keys),
      aadhaarMac: await identityHash(db, aadhaar, ctx.keys),
      aadhaarLast4: last4Of(aadhaar),
      aadhaarErasedAt: erasedAt,
      panSealed: sealNumber("pan", id, pan, ctx.keys),
      panMac: macOf("pan", pan, ctx.keys),
      panLast4: last4Of(pan),
      submittedAt,
      verifiedAt: erasedAt,
      updatedAt: last,
    })
    .where(eq(doctors.id, id));
  await db.insert(doctorBankAccounts).values({
    doctorId: id,
    bankName: "Demo Bank of India",
    bankBranch: "Governorpet, Vijayawada",
    accountHolderName: person.fullName.replace(/^Dr\. /, ""),
    accountSealed: sealNumber("account", id, account, ctx.keys),
    accountLast4: last4Of(account),
    ifscCode: "DEMO0001234",
    updatedAt: submittedAt,
  });
  let from: DemoCase["status"] = "draft";
  for (const [action, after] of steps) {
    const rule = VERIFICATION_ACTIONS[action];
    const byRole = rule.by[0];
    await db.insert(verificationEvents).values({
      doctorId: id,
      action,
      fromStatus: from,
      toStatus: rule.to,
      byUserId: BY[byRole] ?? id,
      byRole,
      note: action === "suspend" ? SUSPENDED_FOR : null,
      reasons: action === "hospital-reject" ? [{ kind: "identityDocument", reason: ASKED_AGAIN }] : [],
      at: at(after),
    });
    from = rule.to;
  }
}

/** Inserts one document of each kind, with a decision by status. Returns the file of the profile image. */
async function addDocuments(
  db: Tx,
  person: DemoCase,
  index: number,
  { createdAt, erasedAt }: { createdAt: Date; erasedAt: Date | null },
  ctx: SeedCtx,
): Promise<string> {
  const forAdmin = person.status === "pending admin approval";
  const decided = person.status !== "under review by hospital" && !forAdmin;
  const reviewedAt = new Date(createdAt.getTime() + hours(19));
  for (const kind of DOCUMENT_KINDS) {
    const isErased = erasedAt !== null && kind === "identityDocument";
    const fileId = demoId(`file ${person.fullName} ${kind}`);
    if (!isErased) await addFile(db, { person, index, kind, fileId, createdAt }, ctx);
    const again = person.status === "rejected" && kind === "identityDocument";
    await db.insert(doctorDocuments).values({
      id: demoId(`document ${person.fullName} ${kind}`),
      doctorId: idOf(person),
      kind,
      fileId: isErased ? null : fileId,
      erasedAt: isErased ? erasedAt : null,
      decision: decided ? (again ? "ask-again" : "matches") : "undecided",
      reason: again ? ASKED_AGAIN : null,
      decidedBy: decided ? REVIEWER : null,
      decidedAt: decided ? reviewedAt : null,
      hospitalDecidedBy: forAdmin ? REVIEWER : null,
      hospitalDecidedAt: forAdmin ? reviewedAt : null,
      createdAt,
    });
  }
  return demoId(`file ${person.fullName} profileImage`);
}

async function addFile(
  db: Tx,
  of: { person: DemoCase; index: number; kind: DocumentKind; fileId: string; createdAt: Date },
  ctx: SeedCtx,
): Promise<void> {
  const { bytes, width, height } = await drawDocument(of.kind, of.index);
  const storageKey = `doctor-document/${randomBytes(20).toString("hex")}`;
  const store = ctx.storage ?? integrations().storage;
  const stored = await putSealed(store, { id: of.fileId, storageKey, name: `${of.kind}.jpg`, bytes }, ctx.keys);
  await db.insert(files).values({
    ...stored,
    ownerId: idOf(of.person),
    purpose: "doctor-document",
    status: "attached",
    mediaType: "image/jpeg",
    width,
    height,
    createdAt: of.createdAt,
  });
}

async function addSuspendedVisits(db: Tx, ctx: SeedCtx): Promise<void> {
  const { now } = ctx;
  const doctor = CASES.find((c) => c.status === "suspended")!;
  const today: DateKey = todayInIndia(now);
  const createdAt = before(now, 60);
  for (const [i, visit] of SUSPENDED_VISITS.entries()) {
    const patient = PATIENTS.find((p) => p.name === visit.patient)!;
    const slot = { doctorId: idOf(doctor), date: addDays(today, visit.inDays), time: visit.time };
    await db.insert(availabilitySlots).values(slot).onConflictDoNothing();
    const id = demoId(`suspended visit ${i}`);
    await db.insert(appointments).values({
      id,
      patientId: demoId(`patient ${patient.name}`),
      ...slot,
      status: visit.status,
      reason: sealed(appointments.reason, id, visit.reason, ctx.keys),
      patientName: patient.name,
      patientPhone: patient.phone,
      patientAge: patient.age,
      patientGender: patient.gender,
      bloodGroup: sealed(appointments.bloodGroup, id, patient.bloodGroup ?? null, ctx.keys),
      fee: fromRupees(doctor.fee),
      paymentReference: `NADIDEMOS${String(i + 1).padStart(3, "0")}`,
      paymentMethod: "clinic",
      idempotencyKey: `demo-suspended-${i}`,
      acceptedAt: visit.status === "accepted" ? createdAt : null,
      createdAt,
      updatedAt: createdAt,
    });
  }
}
