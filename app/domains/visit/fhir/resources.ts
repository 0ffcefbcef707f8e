import type { DateKey } from "#app/lib/dates.ts";
import { addDays } from "#app/lib/dates.ts";
import type { Gender, MedicineForm } from "#app/lib/vocabulary.ts";
import type { NoneKnown } from "../allergies/known-allergies.ts";
import type { CertificateContent, OrderContent, PrescriptionContent, SignedContent } from "../documents/content.ts";
import type { SignedDocument, SignedVisit } from "../documents/signed-visits.server.ts";
import { adviceWord, doseSentence } from "../medicines/dose-sentence.ts";
import type { MedicineLine } from "../medicines/line.ts";

/** A FHIR R4 resource. Tests validate each against the definitions of the standard. */
export type Resource = { resourceType: string; id: string } & Record<string, unknown>;

const refTo = (id: string, display?: string) => ({ reference: `urn:uuid:${id}`, ...(display ? { display } : {}) });
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const narrative = (text: string) => ({
  status: "generated",
  div: `<div xmlns="http://www.w3.org/1999/xhtml"><p>${escaped(text)}</p></div>`,
});
/** FHIR allows no empty texts. */
const clean = (text: string) => text.trim() || undefined;

export type FhirPerson = { id: string; name: string; gender: Gender | null; birthDate?: DateKey | null; phone?: string | null };

export const patientOf = ({ id, name, gender, birthDate, phone }: FhirPerson): Resource => ({
  resourceType: "Patient",
  id,
  ...(clean(name) && { name: [{ text: name.trim() }] }),
  ...(gender && { gender }),
  ...(birthDate && { birthDate }),
  ...(phone && { telecom: [{ system: "phone", value: phone }] }),
});

export const practitionerOf = ({ doctor }: SignedContent): Resource => ({
  resourceType: "Practitioner",
  id: doctor.id,
  identifier: [{ value: doctor.registration, ...(clean(doctor.council) && { assigner: { display: doctor.council } }) }],
  name: [{ text: doctor.name }],
  qualification: [{ code: { text: doctor.qualification } }],
});

export function encounterOf(visit: SignedVisit, patientId: string): Resource {
  const content = visit.documents[0]?.content;
  const prescription = visit.documents.find(({ content: one, state }) => one.kind === "prescription" && state === "signed")?.content;
  const diagnosis = prescription?.kind === "prescription" ? clean(prescription.diagnosis) : undefined;
  return {
    resourceType: "Encounter",
    id: visit.id,
    status: "finished",
    class: { system: "http://terminology.hl7.org/CodeSystem/v3-ActCode", code: "AMB", display: "ambulatory" },
    subject: refTo(patientId, clean(visit.patient.name)),
    participant: [{ individual: refTo(visit.doctor.id, clean(visit.doctor.name)) }],
    period: { start: visit.date },
    ...(diagnosis && { reasonCode: [{ text: diagnosis }] }),
    ...(content?.place && { serviceProvider: { display: content.place.name } }),
  };
}

const COMPOSITION_STATE = { signed: "final", superseded: "final", cancelled: "entered-in-error" } as const;

const TITLES = { prescription: "Prescription", certificate: "Medical certificate", order: "Test order" } as const;

/** `entryIds`: of the medicines or tests. `replaced`: the id of the document that this one corrects. */
export function compositionOf(
  { content, state }: SignedDocument,
  patientId: string,
  {
    entryIds,
    replaced,
    allergyId,
    origin,
  }: { entryIds: readonly string[]; replaced: string | undefined; allergyId: string; origin: string },
): Resource {
  return {
    resourceType: "Composition",
    id: content.id,
    identifier: { system: `${origin}/rx`, value: content.code },
    status: COMPOSITION_STATE[state],
    type:
      content.kind === "prescription"
        ? { coding: [{ system: "http://loinc.org", code: "57833-6", display: "Prescription for medication" }], text: "Prescription" }
        : { text: TITLES[content.kind] },
    subject: refTo(patientId),
    encounter: refTo(content.visitId),
    date: content.signedAt,
    author: [refTo(content.doctor.id, content.doctor.name)],
    title: TITLES[content.kind],
    attester: [{ mode: "legal", time: content.signedAt, party: refTo(content.doctor.id) }],
    ...(replaced && { relatesTo: [{ code: "replaces", targetReference: refTo(replaced) }] }),
    section: sectionsOf(content, entryIds, allergyId),
  };
}

function sectionsOf(content: SignedContent, entryIds: readonly string[], allergyId: string) {
  if (content.kind === "prescription") return prescriptionSections(content, entryIds, allergyId);
  if (content.kind === "certificate") return certificateSections(content);
  return [
    { title: "Tests", text: narrative(content.tests.join(". ")), entry: entryIds.map((id) => refTo(id)) },
    ...(content.words ? [{ title: "Note", text: narrative(content.words) }] : []),
  ];
}

const ORDER_STATE = { signed: "active", superseded: "revoked", cancelled: "entered-in-error" } as const;

/** A test of a signed order. */
export const serviceRequestOf = (
  { content, state }: SignedDocument & { content: OrderContent },
  test: string,
  { id, patientId }: { id: string; patientId: string },
): Resource => ({
  resourceType: "ServiceRequest",
  id,
  status: ORDER_STATE[state],
  intent: "order",
  code: { text: test },
  subject: refTo(patientId),
  encounter: refTo(content.visitId),
  authoredOn: content.signedAt,
  requester: refTo(content.doctor.id, content.doctor.name),
  ...(clean(content.words) && { note: [{ text: content.words.trim() }] }),
});

/** Written allergies are a text. "No known allergy" is a resource of its own, and without an answer the section says that it was not asked. */
function allergySection({ allergies, noneKnown }: PrescriptionContent, allergyId: string) {
  const title = "Allergies";
  if (allergies) return { title, text: narrative(allergies) };
  if (noneKnown) return { title, text: narrative(`No known allergies (${noneKnown.by}, ${noneKnown.on})`), entry: [refTo(allergyId)] };
  const coding = [{ system: "http://terminology.hl7.org/CodeSystem/list-empty-reason", code: "notasked", display: "Not Asked" }];
  return { title, text: narrative("Allergies not asked yet"), emptyReason: { coding } };
}

/** The statement of a prescription that there is no known allergy. */
export const noKnownAllergyOf = (
  { noneKnown, visitId }: { noneKnown: NoneKnown; visitId: string },
  { id, patientId }: { id: string; patientId: string },
): Resource => ({
  resourceType: "AllergyIntolerance",
  id,
  clinicalStatus: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical", code: "active" }] },
  verificationStatus: {
    coding: [
      {
        system: "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification",
        code: noneKnown.isPatient ? "unconfirmed" : "confirmed",
      },
    ],
  },
  code: { coding: [{ system: "http://snomed.info/sct", code: "716186003", display: "No known allergy" }], text: "No known allergy" },
  patient: refTo(patientId),
  encounter: refTo(visitId),
  recordedDate: noneKnown.on,
  asserter: { display: noneKnown.by },
});

function prescriptionSections(content: PrescriptionContent, medicineIds: readonly string[], allergyId: string) {
  const advice = [...content.advice.map((key) => adviceWord(key, "en")), content.adviceWords].filter(Boolean).join(". ");
  const texts = [
    ["Diagnosis", [content.diagnosis, content.diagnosisCode].filter(Boolean).join(" ")],
    ["Advice", advice],
    ["Next visit", content.followUpOn ?? ""],
  ] as const;
  const medicines = content.lines.map((line) => `${medicineText(line)}: ${doseSentence(line, "en")}`).join(". ");
  return [
    ...(medicineIds.length ? [{ title: "Medicines", text: narrative(medicines), entry: medicineIds.map((id) => refTo(id)) }] : []),
    allergySection(content, allergyId),
    ...texts.flatMap(([title, text]) => (text ? [{ title, text: narrative(text) }] : [])),
  ];
}

function certificateSections({ type, from, until, words }: CertificateContent) {
  const what = type === "sick-leave" ? `Sick leave from ${from}${until ? ` to ${until}` : ""}` : `Fit from ${from}`;
  return [{ title: "Certificate", text: narrative([what, words].filter(Boolean).join(". ")) }];
}

const medicineText = ({ name, strength, form }: MedicineLine) => [name, strength, form === "other" ? null : form].filter(Boolean).join(" ");

const WHEN = ["MORN", "NOON", "EVE", "NIGHT"] as const;
const FOODS = { after: "After food", before: "Before food", any: null } as const;

const UCUM = "http://unitsofmeasure.org";
/** What one of a form is; a spoon of syrup is 5 ml. */
const UNITS: Record<MedicineForm, { unit?: string; code?: string; each?: number }> = {
  tablet: { unit: "tablet" },
  capsule: { unit: "capsule" },
  syrup: { unit: "mL", code: "mL", each: 5 },
  liquid: { unit: "mL", code: "mL" },
  drops: { unit: "drop" },
  inhaler: { unit: "puff" },
  injection: { unit: "injection" },
  insulin: { unit: "unit", code: "[iU]" },
  cream: { unit: "application" },
  ointment: { unit: "application" },
  powder: { unit: "sachet" },
  sachet: { unit: "sachet" },
  other: {},
};

function quantityOf(amount: number, form: MedicineForm) {
  const { unit, code, each = 1 } = UNITS[form];
  return { value: amount * each, ...(unit && { unit }), ...(code && { system: UCUM, code }) };
}

/** One dosage for each time of the day with a dose; the first one has the sentence of the print. */
function dosagesOf(line: MedicineLine) {
  const repeat = {
    ...(line.days !== null && { boundsDuration: { value: line.days, unit: "day", system: UCUM, code: "d" } }),
    frequency: 1,
    period: line.everyNDays,
    periodUnit: "d",
  };
  const food = FOODS[line.food];
  const common = {
    ...(food && { additionalInstruction: [{ text: food }] }),
    ...(line.asNeeded && { asNeededBoolean: true }),
    ...(line.route !== "other" && { route: { text: line.route } }),
  };
  const text = doseSentence(line, "en");
  const parts = WHEN.flatMap((when, i) => (line.dose[i] ? [{ when, value: line.dose[i] }] : []));
  if (!parts.length) return [{ sequence: 1, text, ...common }];
  return parts.map(({ when, value }, i) => ({
    sequence: i + 1,
    ...(i === 0 && { text }),
    ...common,
    timing: { repeat: { ...repeat, when: [when] } },
    doseAndRate: [{ doseQuantity: quantityOf(value, line.form) }],
  }));
}

function statusOf(state: SignedDocument["state"], line: MedicineLine, from: DateKey, today: DateKey) {
  if (state === "cancelled") return "cancelled";
  if (state === "superseded") return "stopped";
  return line.days !== null && addDays(from, line.days) < today ? "completed" : "active";
}

export function medicationRequestOf(
  { content, state }: SignedDocument & { content: PrescriptionContent },
  line: MedicineLine,
  { id, patientId, today }: { id: string; patientId: string; today: DateKey },
): Resource {
  const note = [line.brand && `Brand: ${line.brand}`, line.words].filter(Boolean).join(". ");
  return {
    resourceType: "MedicationRequest",
    id,
    status: statusOf(state, line, content.date, today),
    intent: "order",
    medicationCodeableConcept: { text: medicineText(line) },
    subject: refTo(patientId),
    encounter: refTo(content.visitId),
    authoredOn: content.signedAt,
    requester: refTo(content.doctor.id, content.doctor.name),
    ...(note && { note: [{ text: note }] }),
    dosageInstruction: dosagesOf(line),
    ...(line.quantity !== null && line.quantity > 0 && { dispenseRequest: { quantity: { value: line.quantity } } }),
    substitution: { allowedBoolean: line.substitution },
  };
}

export type FhirFile = {
  id: string;
  path: string;
  mediaType: string;
  title: string;
  type: string;
  at: Date;
  visitId: string | null;
  orderId: string | null;
};

/** A stored document of the patient. Its bytes are beside the bundle, under `path`. */
export const documentReferenceOf = (file: FhirFile, patientId: string): Resource => ({
  resourceType: "DocumentReference",
  id: file.id,
  status: "current",
  type: { text: file.type },
  subject: refTo(patientId),
  date: file.at.toISOString(),
  content: [{ attachment: { contentType: file.mediaType, url: file.path, ...(clean(file.title) && { title: file.title.trim() }) } }],
  ...((file.visitId || file.orderId) && {
    context: {
      ...(file.visitId && { encounter: [refTo(file.visitId)] }),
      ...(file.orderId && { related: [refTo(file.orderId)] }),
    },
  }),
});
