import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { type DraftLine, doctors, encounters, type VisitDraft, visitDocuments } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { dayFromNow, makeDoctor, makePatient, makeStaff, makeVisit, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { emptyDraft } from "../encounters/draft.ts";
import { getOwnVisit } from "../encounters/own-visit.server.ts";
import { discardDraft, getDraft, saveDraft } from "../encounters/save-draft.server.ts";
import { addFavourite, listFavourites, removeFavourite } from "../medicines/favourites.server.ts";
import { EMPTY_LINE } from "../medicines/line.ts";
import { cancelDocument, correctPrescription } from "./change-document.server.ts";
import { signVisit } from "./sign-visit.server.ts";
import { checkDocument } from "./verify.server.ts";

const { db, sql, ctx } = testDb();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: DomainError) => error.code,
  );
const line = (over: Partial<DraftLine> = {}): DraftLine => ({
  ...EMPTY_LINE,
  name: "Paracetamol",
  strength: "500 mg",
  morning: "1",
  days: "5",
  ...over,
});
const draftOf = (over: Partial<VisitDraft> = {}): VisitDraft => ({
  ...emptyDraft("te"),
  complaint: "Fever for 3 days",
  diagnosis: "Viral fever",
  allergies: "Penicillin",
  lines: [line()],
  ...over,
});

let doctor: Person;
let patient: Person;
let hour = 0;
/** Inserts an accepted appointment of today with the doctor. */
const newVisit = (over: { status?: "pending" | "accepted" | "completed" | "cancelled"; date?: string; name?: string } = {}, by = patient) =>
  makeVisit(
    db,
    { patient: by, doctor },
    { status: "accepted", date: dayFromNow(-1 - Math.floor(hour / 24)), time: `${String(hour++ % 24).padStart(2, "0")}:00`, ...over },
  );
const completeDoctor = (id: string) =>
  db
    .update(doctors)
    .set({
      councilName: "Andhra Pradesh Medical Council",
      councilNumber: `APMC/${id.slice(0, 8)}`,
      qualifications: [{ degree: "MBBS", universityCollege: "NTR University", year: 2008 }],
    })
    .where(eq(doctors.id, id));
const save = (visitId: string, version: number, draft = draftOf(), actor: Actor = doctor.actor) =>
  saveDraft(ctx(actor), { visitId, version, draft });
const signed = async (visitId: string, draft = draftOf()) => {
  const { version } = await save(visitId, 0, draft);
  return signVisit(ctx(doctor.actor), { visitId, version });
};
const rowOf = async (id: string) => (await db.select().from(visitDocuments).where(eq(visitDocuments.id, id)))[0]!;
const check = async (id: string) => checkDocument(ctx(), (await rowOf(id)).code!);

beforeAll(async () => {
  doctor = await makeDoctor(db, { name: "Dr. Anjali Vemuri" });
  await completeDoctor(doctor.id);
  patient = await makePatient(db);
});

describe("the draft of a visit", () => {
  it("is saved as typed, complete or not, with the known allergies in the next visit of the same patient", async () => {
    const visitId = await newVisit();
    const half = draftOf({ lines: [line({ name: "", days: "soon" })] });
    expect(await save(visitId, 0, half)).toMatchObject({ version: 1 });
    const visit = await getOwnVisit(ctx(doctor.actor), visitId);
    expect(await getDraft(ctx(doctor.actor), visit)).toMatchObject({ version: 1, draft: half });
    const first = await newVisit();
    await signed(first);
    const again = await getOwnVisit(ctx(doctor.actor), await newVisit());
    expect((await getDraft(ctx(doctor.actor), again))!.draft).toMatchObject({ allergies: "Penicillin", complaint: "", language: "en" });
    const sister = await getOwnVisit(ctx(doctor.actor), await newVisit({ name: "Another Patient" }));
    expect((await getDraft(ctx(doctor.actor), sister))!.draft.allergies).toBe("");
  });
  it("refuses a page that is behind, and saves it when the doctor chooses it", async () => {
    const visitId = await newVisit();
    await save(visitId, 0);
    await save(visitId, 1, draftOf({ diagnosis: "Dengue" }));
    expect(await codeOf(save(visitId, 1, draftOf({ diagnosis: "Malaria" })))).toBe("conflict");
    const visit = await getOwnVisit(ctx(doctor.actor), visitId);
    expect((await getDraft(ctx(doctor.actor), visit))!.draft.diagnosis).toBe("Dengue");
    await saveDraft(ctx(doctor.actor), { visitId, version: 1, draft: draftOf({ diagnosis: "Malaria" }), overwrite: true });
    expect((await getDraft(ctx(doctor.actor), visit))!.draft.diagnosis).toBe("Malaria");
  });
  it("is one when two tabs save at once", async () => {
    const visitId = await newVisit();
    const results = await Promise.all([1, 2, 3, 4].map(() => codeOf(save(visitId, 0))));
    expect(results.filter((code) => code === null)).toHaveLength(1);
    expect(await db.$count(visitDocuments, eq(visitDocuments.encounterId, visitId))).toBe(1);
  });
  it("is for the doctor of an accepted appointment from its day on", async () => {
    const open = await newVisit();
    const [other, admin] = [await makeDoctor(db), await makeStaff(db, "admin")];
    for (const actor of [other.actor, patient.actor, admin]) expect(await codeOf(save(open, 0, draftOf(), actor))).toBe("not-found");
    for (const over of [{ status: "pending" }, { status: "cancelled" }, { date: dayFromNow(1) }] as const)
      expect(await codeOf(save(await newVisit(over), 0))).toBe("conflict");
    expect(await db.$count(encounters, eq(encounters.id, open))).toBe(0);
  });
  it("can be discarded", async () => {
    const visitId = await newVisit();
    await save(visitId, 0);
    await discardDraft(ctx(doctor.actor), { visitId });
    expect(await codeOf(discardDraft(ctx(doctor.actor), { visitId }))).toBe("conflict");
    const [row] = await db.select().from(visitDocuments).where(eq(visitDocuments.encounterId, visitId));
    expect(row).toMatchObject({ state: "discarded", draft: null });
  });
});

describe("signing", () => {
  it("names doctor, patient and medicines, notifies the patient without a health word, and is logged", async () => {
    const visitId = await newVisit();
    const id = await signed(visitId, draftOf({ followUp: "1-week", lines: [line(), { ...EMPTY_LINE }] }));
    expect(await check(id)).toMatchObject({
      verdict: "valid",
      content: {
        kind: "prescription",
        date: expect.any(String),
        doctor: { name: "Dr. Anjali Vemuri", qualification: "MBBS" },
        patient: { name: "Proof Patient", age: 40, gender: "female" },
        diagnosis: "Viral fever",
        lines: [{ name: "Paracetamol", strength: "500 mg", dose: [1, 0, 0, 0], everyNDays: 1, days: 5, food: "after" }],
        followUpOn: dayFromNow(7),
      },
    });
    const notices =
      await sql`select kind, params, target_path from notifications where user_id = ${patient.id} and params->>'appointment' = ${visitId}`;
    expect(notices).toMatchObject([{ kind: "prescription-signed", target_path: `/patient/appointments/${visitId}` }]);
    expect(JSON.stringify(notices)).not.toMatch(/Paracetamol|fever/i);
    expect(
      await sql`select details from audit_log where action = 'sign-prescription' and subject_id = ${visitId} and person_id = ${patient.id}`,
    ).toHaveLength(1);
    expect((await sql`select kind from domain_events where subject_id = ${id} order by id`).map((row) => row.kind)).toEqual([
      "visit-document.write",
      "visit-document.sign",
    ]);
    const stored = JSON.stringify(
      await sql`select * from visit_documents d join visit_notes n on n.document_id = d.id join encounters e on e.id = d.encounter_id where d.id = ${id}`,
    );
    expect(stored).not.toMatch(/Paracetamol|fever|Penicillin|Proof Patient/i);
  });
  it.each([
    ["a qualification", { qualifications: [] }],
    ["a registration number", { councilNumber: null }],
    ["a name", { fullName: "" }],
    ["a verified profile", { registrationStatus: "suspended" as const }],
  ])("refuses a doctor without %s", async (_, without) => {
    const visitId = await newVisit();
    const { version } = await save(visitId, 0);
    await db.update(doctors).set(without).where(eq(doctors.id, doctor.id));
    try {
      await expect(signVisit(ctx(doctor.actor), { visitId, version })).rejects.toMatchObject({
        code: "invalid",
        fields: { doctor: [expect.any(String)] },
      });
    } finally {
      await db.update(doctors).set({ fullName: "Dr. Anjali Vemuri", registrationStatus: "verified" }).where(eq(doctors.id, doctor.id));
      await completeDoctor(doctor.id);
    }
  });
  it("returns what is missing beside its field", async () => {
    const visitId = await newVisit();
    const { version } = await save(
      visitId,
      0,
      draftOf({ lines: [line(), line({ name: "", days: "", night: "9" })], followUpDate: dayFromNow(-1) }),
    );
    await expect(signVisit(ctx(doctor.actor), { visitId, version })).rejects.toMatchObject({
      code: "invalid",
      fields: {
        medicine_2: [expect.any(String)],
        days_2: [expect.any(String)],
        dose_2_night: [expect.any(String)],
        follow_up_date: [expect.any(String)],
      },
    });
  });
  it("signs only what was reviewed, and once", async () => {
    const visitId = await newVisit();
    const { version } = await save(visitId, 0);
    await save(visitId, version, draftOf({ diagnosis: "Other" }));
    expect(await codeOf(signVisit(ctx(doctor.actor), { visitId, version }))).toBe("conflict");
    const results = await Promise.all([1, 2, 3].map(() => codeOf(signVisit(ctx(doctor.actor), { visitId, version: version + 1 }))));
    expect(results.toSorted()).toEqual(["conflict", "conflict", null].toSorted());
    expect(await codeOf(save(visitId, version + 1))).toBe("conflict");
  });
});

describe("a signed document", () => {
  it.each([
    "update visit_documents set content = 'x' where id = $1",
    "update visit_documents set signature = 'x' where id = $1",
    "update visit_documents set code = 'K7QM4XDT9WHP' where id = $1",
    "update visit_documents set state = 'draft' where id = $1",
    "update visit_documents set ended_at = now() where id = $1",
    "update visit_notes set content = '\"x\"' where document_id = $1",
    "delete from visit_documents where id = $1",
    "delete from visit_notes where document_id = $1",
    "truncate visit_notes",
  ])("stays as it is: %s", async (statement) => {
    const id = await signed(await newVisit());
    await expect(statement.includes("$1") ? sql.unsafe(statement, [id]) : sql.unsafe(statement)).rejects.toThrow(
      /cannot be changed|not deleted/,
    );
    expect((await check(id)).verdict).toBe("valid");
  });
  it.each([
    ["content", "content = (select content from visit_documents where id = $2)"],
    ["hash", "sha256 = repeat('0', 64)"],
    ["signature", "signature = (select signature from visit_documents where id = $2)"],
    ["key of the signature", "key_id = '0000000000000000'"],
  ])("is reported as tampered after its %s was changed", async (_, change) => {
    const [id, other] = [await signed(await newVisit()), await signed(await newVisit())];
    const { code } = await rowOf(id);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(`update visit_documents set ${change} where id = $1${change.includes("$2") ? "" : " and $2::uuid is not null"}`, [
        id,
        other,
      ]);
    });
    expect(await checkDocument(ctx(), code!)).toEqual({ verdict: "tampered", code });
  });
  it.each(["cancelled", "superseded"] as const)("is reported as tampered after its end was undone, or made by hand (%s)", async (state) => {
    const [revived, ended] = [await signed(await newVisit()), await signed(await newVisit())];
    const visitId = (await rowOf(revived)).encounterId;
    if (state === "cancelled") await cancelDocument(ctx(doctor.actor), { visitId, documentId: revived });
    else {
      await correctPrescription(ctx(doctor.actor), { visitId });
      const draft = (await getDraft(ctx(doctor.actor), await getOwnVisit(ctx(doctor.actor), visitId)))!;
      const next = await signVisit(ctx(doctor.actor), { visitId, version: draft.version });
      await cancelDocument(ctx(doctor.actor), { visitId, documentId: next });
    }
    expect((await check(revived)).verdict).toBe(state);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update visit_documents set state = 'signed', ended_at = null where id = ${revived}`;
      await tx`update visit_documents set state = ${state}, ended_at = now() where id = ${ended}`;
    });
    expect((await check(revived)).verdict).toBe("tampered");
    expect((await check(ended)).verdict).toBe("tampered");
  });
  it("is superseded by its correction when that is signed, and not before", async () => {
    const visitId = await newVisit();
    const id = await signed(visitId);
    await correctPrescription(ctx(doctor.actor), { visitId });
    await correctPrescription(ctx(doctor.actor), { visitId });
    expect((await check(id)).verdict).toBe("valid");
    const visit = await getOwnVisit(ctx(doctor.actor), visitId);
    const draft = (await getDraft(ctx(doctor.actor), visit))!;
    expect(draft).toMatchObject({ replaces: id, draft: { complaint: "Fever for 3 days", lines: [line()] } });
    const next = await signVisit(ctx(doctor.actor), { visitId, version: draft.version });
    expect(await check(id)).toMatchObject({ verdict: "superseded", endedAt: expect.any(Date) });
    expect(await check(next)).toMatchObject({ verdict: "valid", content: { replaces: (await rowOf(id)).code } });
  });
  it("can be cancelled by its doctor, once", async () => {
    const visitId = await newVisit();
    const id = await signed(visitId);
    const other = await makeDoctor(db);
    expect(await codeOf(cancelDocument(ctx(other.actor), { visitId, documentId: id }))).toBe("not-found");
    await cancelDocument(ctx(doctor.actor), { visitId, documentId: id });
    expect(await codeOf(cancelDocument(ctx(doctor.actor), { visitId, documentId: id }))).toBe("conflict");
    expect((await check(id)).verdict).toBe("cancelled");
  });
  it("is checked while the database is read-only", async () => {
    const { code } = await rowOf(await signed(await newVisit()));
    const found = await db.transaction((tx) => checkDocument({ ...ctx(), db: tx }, code!), { accessMode: "read only" });
    expect(found.verdict).toBe("valid");
  });
  it("has no code that exists by chance", async () => {
    expect(await codeOf(checkDocument(ctx(), "AAAA-AAAA-AAAA"))).toBe("not-found");
    expect(await codeOf(checkDocument(ctx(), "../../etc"))).toBe("not-found");
  });
});

describe("favourites", () => {
  it("are the doctor's own, complete, and the same one once", async () => {
    await addFavourite(ctx(doctor.actor), line());
    await addFavourite(ctx(doctor.actor), line({ name: "PARACETAMOL" }));
    expect(await codeOf(addFavourite(ctx(doctor.actor), line({ days: "" })))).toBe("invalid");
    const [own] = await listFavourites(ctx(doctor.actor));
    const other = await makeDoctor(db);
    expect(await listFavourites(ctx(other.actor))).toEqual([]);
    await removeFavourite(ctx(other.actor), own!.id);
    expect(await listFavourites(ctx(doctor.actor))).toHaveLength(1);
    await removeFavourite(ctx(doctor.actor), own!.id);
    expect(await listFavourites(ctx(doctor.actor))).toEqual([]);
  });
});
