/**
 * The users, visits and files that the calls of tests/api/calls.test.ts are made with. Importing this file registers the hooks
 * that start and stop the server.
 */
import { afterAll, beforeAll } from "vitest";
import { signVisit } from "#app/domains/visit/documents/sign-visit.server.ts";
import { emptyDraft } from "#app/domains/visit/encounters/draft.ts";
import { saveDraft } from "#app/domains/visit/encounters/save-draft.server.ts";
import { EMPTY_LINE } from "#app/domains/visit/medicines/line.ts";
import { ApiClient } from "../api/client.ts";
import { staff, tokenFor } from "../api/people.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../factories/people.ts";
import { applied, newDoctor, newHospital, picture } from "./applications.ts";
import { startServer, type TestServer } from "./server.ts";
import { testDb } from "./test-db.ts";

export type Who =
  | "visitor"
  | "patient"
  | "otherPatient"
  | "doctor"
  | "otherDoctor"
  | "draft"
  | "otherDraft"
  | "reviewer"
  | "otherReviewer"
  | "admin"
  | "garbled";
/* biome-ignore-start lint/suspicious/noExplicitAny: malformed on purpose */
export type Anything = { params?: any; query?: any; body?: any; files?: Record<string, [Blob, string][]> };
/* biome-ignore-end lint/suspicious/noExplicitAny: malformed on purpose */
type Refused = [args: Anything, status: number, message: string];
export type Row = {
  as: Who;
  right: () => Promise<Anything> | Anything;
  /** The refusal without a token; null: the call is public. */
  visitor: [status: number, message: string] | null;
  /** The token of another user on the same call. */
  other: [who: Who, status: number, message: string] | null;
  malformed: (right: Anything) => Refused | [args: Anything, status: number, message: string, who: Who];
};

export let server: TestServer;
export let visitor: ApiClient;
export let patient: Person;
export let otherPatient: Person;
export let doctor: TestDoctor;
export let otherDoctor: TestDoctor;
export let draftId: string;
export let caseId: string;
export let approvedId: string;
export let file: string;
export const tokens = {} as Record<Who, string | null>;
export const [SOON, LATER, FREE] = [dayFromNow(6), dayFromNow(7), dayFromNow(8)];
export const visits = { accept: "", complete: "", undo: "", cancel: "" };
export let notice = "";
/** A visit with a signed prescription. */
export let signedVisit = "";

beforeAll(async () => {
  server = await startServer({ seed: false });
  visitor = await ApiClient.of(server.url);
  const { db, sql } = server;
  [patient, otherPatient] = [await makePatient(db, { name: "Anjali Rao" }), await makePatient(db)];
  const slots = ["10:00", "10:30", "11:00"].map((time) => ({ date: SOON, time }));
  [doctor, otherDoctor] = [await makeDoctor(db, { slots, name: "Dr. Row" }), await makeDoctor(db)];
  await addSlots(db, doctor.id, [
    { date: LATER, time: "09:00" },
    { date: FREE, time: "09:00" },
  ]);
  await sql`update doctors set gender = 'female', date_of_birth = '1980-02-03', council_name = 'AP Council', council_number = 'R1', council_year = 2006,
    about = 'About', qualifications = '[{"degree":"MBBS","universityCollege":"","year":null}]' where id = ${doctor.id}`;
  visits.accept = await makeVisit(db, { patient, doctor }, { date: dayFromNow(9), time: "10:00" });
  visits.complete = await makeVisit(db, { patient, doctor }, { date: dayFromNow(-1), time: "10:30", status: "accepted" });
  visits.undo = await makeVisit(
    db,
    { patient, doctor },
    { date: dayFromNow(-1), time: "11:00", status: "completed", completedAt: new Date() },
  );
  visits.cancel = await makeVisit(db, { patient, doctor }, { date: dayFromNow(9), time: "11:00" });
  const [notification] = await sql<{ id: string }[]>`insert into notifications (user_id, kind, type, params, target_path)
    values (${patient.id}, 'appointment-accepted', 'success', '{"doctor":"Dr. Row","patient":"A","date":"2026-11-30","time":"10:00"}', '/patient/calendar') returning id`;
  notice = notification!.id;
  signedVisit = await signedOf({ patient, doctor });
  const hospital = await newHospital(server);
  const reviewer = await staff(server, "reviewer");
  await sql`insert into hospital_reviewers (hospital_id, user_id) values (${hospital}, ${reviewer.id})`;
  const waiting = await applied(server, { hospital: { mode: "select", hospitalId: hospital, intent: "next" } });
  caseId = waiting.userId;
  approvedId = (await applied(server, { hospital: { mode: "select", hospitalId: hospital, intent: "next" } })).userId;
  await sql`update doctors set registration_status = 'pending admin approval' where id = ${approvedId}`;
  [{ file_id: file }] = (await sql`select file_id from doctor_documents where doctor_id = ${caseId} limit 1`) as unknown as [
    { file_id: string },
  ];
  draftId = (await newDoctor(server)).userId;
  const ids: [Who, string][] = [
    ["patient", patient.id],
    ["otherPatient", otherPatient.id],
    ["doctor", doctor.id],
    ["otherDoctor", otherDoctor.id],
    ["draft", draftId],
    ["otherDraft", (await newDoctor(server)).userId],
    ["reviewer", reviewer.id],
    ["otherReviewer", (await staff(server, "reviewer")).id],
    ["admin", (await staff(server, "admin")).id],
  ];
  for (const [who, id] of ids) tokens[who] = await tokenFor(server, id);
  Object.assign(tokens, { visitor: null, garbled: "not-a-token" });
});
afterAll(() => server?.stop());
/** Inserts a visit of yesterday, and signs its prescription. Returns its id. */
async function signedOf(of: { patient: Person; doctor: TestDoctor }): Promise<string> {
  const ctx = { ...testDb().ctx(of.doctor.actor), db: server.db };
  const visitId = await makeVisit(server.db, of, { date: dayFromNow(-1), time: "12:00", status: "accepted" });
  const line = { ...EMPTY_LINE, name: "Paracetamol", strength: "500 mg", morning: "1", night: "½", days: "3" };
  const draft = { ...emptyDraft("te"), diagnosis: "Viral fever", lines: [line], advice: ["water"], followUp: "1-week" };
  const { version } = await saveDraft(ctx, { visitId, version: 0, draft });
  await signVisit(ctx, { visitId, version });
  return visitId;
}
/** Returns the first bytes of a recording as a browser makes it. */
export const recording = () => new Blob([Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.from("\0\0\0webm\0sound")])]);
export const booking = (date = SOON, time = "10:00 AM"): Anything => ({
  body: {
    patient: patient.id,
    doctor: doctor.id,
    date,
    time,
    patientInfo: { name: "Anjali Rao", phone: "9876543210", age: "41", gender: "Female", blood_group: "O+", medical_history_summary: "" },
  },
});
export const application = async (): Promise<Anything> => ({
  query: { doctorId: draftId },
  body: {
    verification: "pending",
    hospital_hospitalName: "Lotus Clinic",
    hospital_address: "12 Brodipet, Guntur",
    hospital_contact: "0863 223 4567",
    hospital_isManualEntry: "true",
    fullName: "Dr. Draft",
    gender: "Male",
    dateOfBirth: "1985-03-14T00:00:00.000Z",
    medicalCouncilRegistrationNumber: "APMC/CALLS",
    medicalCouncilName: "Andhra Pradesh Medical Council",
    yearOfRegistration: "2010",
    primarySpecialization: "Cardiologist",
    experienceYears: "12",
    consultationFee: "500",
    about: "Hearts.",
    languages: '["English"]',
    location: '{"city":"Guntur","state":"Andhra Pradesh"}',
    qualifications: '[{"degree":"MBBS"}]',
    bank_bankName: "SBI",
    bank_accountNumber: "31234567899",
    bank_ifscCode: "SBIN0001234",
    bank_accountHolderName: "D",
    bank_bankBranch: "Guntur",
  },
  files: {
    profileImage: [[await picture(), "me.jpg"]],
    identityDocument: [[await picture(), "id.jpg"]],
    medicalCouncilCertificate: [[await picture(), "council.jpg"]],
    qualificationCertificates: [[await picture(), "mbbs.jpg"]],
  },
});
export const code = async (phone: string) => server.lastCode(phone);
export const decision = async (id: string, intent: "save" | "approve"): Promise<Anything> => {
  const [row] = await server.sql<{ at: string }[]>`select submitted_at at from doctors where id = ${id}`;
  const documents = await server.sql<{ id: string }[]>`select id from doctor_documents where doctor_id = ${id}`;
  return {
    params: { id },
    body: { intent, seen: new Date(row!.at).toISOString(), documents: documents.map((d) => ({ id: d.id, decision: "matches" })) },
  };
};
