import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { type DraftLine, doctors, encounters, queueEntries, type VisitDraft, visitDocuments } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { listFamily } from "#app/domains/patients/family/queries.server.ts";
import { addFamilyMember } from "#app/domains/patients/family/save-family.server.ts";
import { callPatient, changeEntry } from "#app/domains/waiting-room/queue/change-entry.server.ts";
import { changeVisitEntry } from "#app/domains/waiting-room/queue/change-visit-entry.server.ts";
import { findTurn } from "#app/domains/waiting-room/queue/end-turn.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { dayFromNow, makeDoctor, makePatient, makeStaff, makeVisit, type Person } from "../../../../tests/factories/people.ts";
import { makeSession } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { seenStops } from "../allergies/allergy-stops.ts";
import { allergiesWord } from "../allergies/known-allergies.ts";
import { emptyDraft } from "../encounters/draft.ts";
import { getOwnVisit } from "../encounters/own-visit.server.ts";
import { discardDraft, getDraft, saveDraft } from "../encounters/save-draft.server.ts";
import { addFavourite, listFavourites, removeFavourite } from "../medicines/favourites.server.ts";
import { EMPTY_LINE } from "../medicines/line.ts";
import { getVisitPage } from "../page/queries.server.ts";
import { allowRecords } from "../sharing/permissions.server.ts";
import { getSharedPage } from "../sharing/shared-records.server.ts";
import { cancelDocument, correctPrescription } from "./change-document.server.ts";
import { composePrescription } from "./compose.server.ts";
import type { PrescriptionContent } from "./content.ts";
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

describe("the turn in the queue of a signed visit", () => {
  it("ends with the signature, while another patient is inside only if the doctor says so, and never as left", async () => {
    const today = dayFromNow(0);
    await makeSession(db, doctor.id);
    const newToday = async (name: string) => {
      const visitId = await newVisit({ date: today, name }, await makePatient(db));
      await changeVisitEntry(ctx(doctor.actor), { appointmentId: visitId, action: "arrive" });
      return visitId;
    };
    const [first, second, third] = [await newToday("First"), await newToday("Second"), await newToday("Third")];
    const evening = await newToday("Evening");
    const turnOf = (visit: string) => findTurn(ctx(), { appointmentId: visit, queueEntryId: null });
    // Nobody is inside, and this patient was not called: the doctor is asked.
    expect(await turnOf(evening)).toMatchObject({ inside: null, asks: true });
    await signed(evening);
    expect((await turnOf(evening))?.state).toBe("arrived");
    const entryOf = async (visit: string) => (await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, visit)))[0]!;
    const stateOf = async (visit: string) => (await entryOf(visit)).state;
    const { sessionId } = await entryOf(first);
    await sql`update queue_sessions set state = 'open', doctor_in_at = now() where id = ${sessionId}`;
    const act = async (visit: string, action: "enter" | "leave") =>
      changeEntry(ctx(doctor.actor), { sessionId, entryId: (await entryOf(visit)).id, action });
    await callPatient(ctx(doctor.actor), { sessionId, entryId: (await entryOf(first)).id, now: true });
    await act(first, "enter");
    // The first is inside: the second one's turn stays.
    await signed(second);
    expect(await stateOf(second)).toBe("arrived");
    expect(await findTurn(ctx(), { appointmentId: second, queueEntryId: null })).toMatchObject({ inside: (await entryOf(first)).number });
    expect(await act(second, "leave")).toMatchObject({ state: "done" });
    const { version } = await save(third, 0);
    await signVisit(ctx(doctor.actor), { visitId: third, version, endsTurn: true });
    expect(await stateOf(third)).toBe("done");
    await signed(first);
    expect(await stateOf(first)).toBe("done");
    expect(await stateOf(second)).toBe("done");
  });
});

it("the page of a visit begins with what the patient wrote when booking", async () => {
  const visitId = await makeVisit(
    db,
    { patient, doctor },
    { status: "accepted", date: dayFromNow(-3), time: "23:00", reason: "Cough at night", history: "Asthma since childhood" },
  );
  const { booked } = await getVisitPage(ctx(doctor.actor), visitId);
  expect(booked).toEqual({ reason: "Cough at night", history: "Asthma since childhood", note: "" });
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

describe("a written allergy", () => {
  const amoxicillin = line({ name: "AMOXYCILLIN", brand: "Mox" });
  const stopOf = (visitId: string, version: number, anyway?: { because: string; seen: string }) =>
    signVisit(ctx(doctor.actor), { visitId, version, ...(anyway && { anyway }) });
  const composed = async (visitId: string) => {
    const visit = await getOwnVisit(ctx(doctor.actor), visitId);
    return composePrescription(ctx(doctor.actor), visit, (await getDraft(ctx(doctor.actor), visit))!.draft);
  };
  it("stops a medicine of the same name until a reason is given, which is signed, in the note and counted in the log", async () => {
    const visitId = await newVisit({ name: "Allergy One" });
    const { version } = await save(visitId, 0, draftOf({ allergies: "dust, Amoxicillin (rash)", lines: [line(), amoxicillin] }));
    const { stops } = await composed(visitId);
    expect(stops).toMatchObject([{ name: "Amoxicillin", line: 1, noted: null, medicine: "AMOXYCILLIN 500 mg (Mox)" }]);
    const seen = seenStops(stops);
    for (const anyway of [undefined, { because: " \u200b. ", seen }, { because: "x".repeat(501), seen }])
      await expect(stopOf(visitId, version, anyway)).rejects.toMatchObject({ code: "invalid", fields: { because: [expect.any(String)] } });
    await expect(stopOf(visitId, version, { because: "Ruled out by test", seen: "" })).rejects.toMatchObject({ code: "conflict" });
    const id = await stopOf(visitId, version, { because: " Ruled out by test ", seen });
    const expected = { because: "Ruled out by test", of: [{ allergy: "dust, Amoxicillin (rash)", medicine: "AMOXYCILLIN 500 mg (Mox)" }] };
    expect(await check(id)).toMatchObject({ verdict: "valid", content: { signedAnyway: expected } });
    const page = await getVisitPage(ctx(doctor.actor), visitId);
    expect(page.signed[0]!.signedAnyway).toContain("Ruled out by test");
    const [log] = await sql`select details from audit_log where action = 'sign-prescription' and subject_id = ${visitId}`;
    expect(log!.details).toEqual({ despiteAllergy: 1 });
  });
  it("stops the brand of a line, a combination and the members of penicillin; other medicines pass", async () => {
    for (const [allergies, over] of [
      ["Augmentin", { name: "Amoxicillin + clavulanic acid", brand: "Augmentin 625" }],
      ["amoxicillin", { name: "Amoxicillin + clavulanic acid" }],
      ["Penicillin", { name: "Ampicillin" }],
    ] as const) {
      const visitId = await newVisit({ name: "Allergy Two" });
      const { version } = await save(visitId, 0, draftOf({ allergies, lines: [line(over)] }));
      expect(await codeOf(stopOf(visitId, version)), allergies).toBe("invalid");
    }
    await signed(await newVisit({ name: "Allergy Three" }), draftOf({ allergies: "Penicillin", lines: [line({ name: "Cefixime" })] }));
  });
  it("stops at signing when another note got the allergy after the review", async () => {
    const name = "Allergy Race";
    const [visitId, other] = [await newVisit({ name }), await newVisit({ name })];
    const { version } = await save(visitId, 0, draftOf({ allergies: "", lines: [amoxicillin] }));
    expect((await composed(visitId)).stops).toEqual([]);
    await signed(other, draftOf({ allergies: "Penicillin" }));
    expect(await codeOf(stopOf(visitId, version))).toBe("invalid");
    expect((await composed(visitId)).stops).toMatchObject([{ allergy: "Penicillin", noted: { by: "Dr. Anjali Vemuri" } }]);
  });
  it("of another doctor stops only while the patient shares it, and the reason is shown there", async () => {
    const name = "Allergy Shared";
    const [writer, reader] = [await makeDoctor(db, { name: "Dr. Writer" }), doctor];
    await completeDoctor(writer.id);
    await db.update(doctors).set({ registrationStatus: "verified" }).where(eq(doctors.id, writer.id));
    const theirs = await makeVisit(db, { patient, doctor: writer }, { status: "accepted", date: dayFromNow(-1), time: "05:00", name });
    const draft = draftOf({ allergies: "Ibuprofen", lines: [line({ name: "Ibuprofen" })] });
    const saved = await saveDraft(ctx(writer.actor), { visitId: theirs, version: 0, draft });
    const seen = "Ibuprofen | Ibuprofen 500 mg";
    await signVisit(ctx(writer.actor), { visitId: theirs, version: saved.version, anyway: { because: "Low dose tolerated", seen } });
    const visitId = await newVisit({ name });
    const { version } = await save(visitId, 0, draftOf({ allergies: "", lines: [line({ name: "IBUPROFEN" })] }));
    expect((await composed(visitId)).stops).toEqual([]);
    const { personKey } = await getOwnVisit(ctx(doctor.actor), visitId);
    await allowRecords(ctx(patient.actor), { doctorId: reader.id, person: personKey, until: dayFromNow(5) });
    expect((await composed(visitId)).stops).toMatchObject([{ allergy: "Ibuprofen", noted: { by: "Dr. Writer" } }]);
    expect(await codeOf(stopOf(visitId, version))).toBe("invalid");
    const shared = await getSharedPage(ctx(doctor.actor), { id: visitId, page: 1 });
    expect(shared.entries.map(({ note }) => note?.signedAnyway?.because)).toContain("Low dose tolerated");
  });
  it("that was not asked is not none, until the doctor ticks it, with name and day, also in the next visit", async () => {
    const name = "Allergy Asked";
    const contentOf = async (draft: Partial<VisitDraft>) => {
      const id = await signed(await newVisit({ name }), draftOf({ allergies: "", ...draft }));
      return ((await check(id)) as { content: PrescriptionContent }).content;
    };
    expect(await contentOf({})).toMatchObject({ allergies: "", noneKnown: null });
    const none = { by: "Dr. Anjali Vemuri", on: dayFromNow(0) };
    expect(await contentOf({ noAllergies: "on" })).toMatchObject({ allergies: "", noneKnown: none });
    expect(await contentOf({})).toMatchObject({ noneKnown: none });
    expect(await contentOf({ allergies: "Dust" })).toMatchObject({ allergies: "Dust", noneKnown: null });
    expect(await contentOf({ allergies: "NKDA" })).toMatchObject({ allergies: "", noneKnown: none });
    const visitId = await newVisit({ name });
    const { version } = await save(visitId, 0, draftOf({ allergies: "Dust", noAllergies: "on" }));
    await expect(stopOf(visitId, version)).rejects.toMatchObject({ fields: { no_allergies: [expect.any(String)] } });
  });
  it("that the patient says do not exist are shown with who said it, until a doctor signs an allergy", async () => {
    const person = { relation: "mother", gender: "female", age: 60, bloodGroup: undefined, dateOfBirth: undefined } as const;
    const [said, other] = ["Allergy  Said", "Allergy Other"];
    for (const name of [said, other]) await addFamilyMember(ctx(patient.actor), { ...person, name, noAllergies: true });
    const shownTo = async (name: string) => (await getVisitPage(ctx(doctor.actor), await newVisit({ name }))).known.noneKnown;
    const statement = { by: expect.any(String), on: dayFromNow(0), isPatient: true };
    expect(await shownTo("allergy said")).toEqual(statement);
    expect(allergiesWord({ allergies: "", noneKnown: { by: "Lakshmi", on: "2026-11-27", isPatient: true } })).toBe(
      "No known allergies, says the patient (Lakshmi, 27 Nov 2026)",
    );
    const content = async (name: string, draft: Partial<VisitDraft>) =>
      ((await check(await signed(await newVisit({ name }), draftOf({ allergies: "", ...draft })))) as { content: PrescriptionContent })
        .content;
    expect(await content("Allergy Said", {})).toMatchObject({ noneKnown: statement });
    // The doctor's own answer takes precedence.
    expect((await content("Allergy Said", { noAllergies: "on" })).noneKnown).toEqual({ by: "Dr. Anjali Vemuri", on: dayFromNow(0) });
    await content("Allergy Said", { allergies: "Dust" });
    const family = await listFamily(ctx(patient.actor));
    expect(family.filter(({ noAllergies }) => noAllergies).map(({ name }) => name)).toEqual([other]);
    expect(await shownTo(other)).toEqual(statement);
  });
});

describe("the same medicine twice", () => {
  it("is asked once; two strengths or forms are not", async () => {
    const visitId = await newVisit({ name: "Twice" });
    const twice = [line(), line({ name: "PARACETAMOL ", strength: "500mg", days: "2" })];
    const { version } = await save(visitId, 0, draftOf({ lines: twice }));
    const refusal = await signVisit(ctx(doctor.actor), { visitId, version }).catch((error: DomainError) => error);
    const [key] = (refusal as DomainError).fields!.twice!;
    const next = await save(visitId, version, draftOf({ lines: twice, twice: key! }));
    await signVisit(ctx(doctor.actor), { visitId, version: next.version });
    for (const other of [line({ strength: "650 mg" }), line({ form: "syrup" })])
      await signed(await newVisit({ name: "Twice" }), draftOf({ lines: [line(), other] }));
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
      draftOf({ lines: [line(), line({ name: "", days: "", night: "99" })], followUpDate: dayFromNow(-1) }),
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
