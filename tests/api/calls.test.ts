/**
 * Every row of the two tables of calls (spec 000 §7, spec 001 §7): called correctly, without a token, with the token of another
 * user, and malformed.
 */
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { EventKind } from "#app/domains/platform/events/event-kinds.ts";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ENDPOINTS } from "#app/routes/api/endpoints.server.ts";
import { addSlots, dayFromNow, makeDoctor, makeVisit, newEmail, newPhone, recentSlot, typed } from "../factories/people.ts";
import { picture } from "../setup/applications.ts";
import {
  type Anything,
  application,
  approvedId,
  booking,
  caseId,
  code,
  decision,
  doctor,
  draftId,
  FREE,
  file,
  LATER,
  notice,
  otherPatient,
  patient,
  type Row,
  recording,
  server,
  signedVisit,
  tokens,
  visitor,
  visits,
  type Who,
} from "../setup/calls.ts";
import { expectEvents, watchChanges } from "../setup/watch-changes.ts";
import { takeWrites, watchWrites } from "../setup/watch-writes.ts";
import type { Args, CallName, Refusal } from "./client.ts";
import { PASSWORD } from "./people.ts";

beforeAll(async () => {
  await watchChanges(server);
  await watchWrites(server, { jobs: ["import", "export"] });
});

const NO_TOKEN = "No authentication token found";
const AUTH_FAILED = "Authentication failed. Please log in again.";
const DENIED = "Access denied. You may not have permission to view appointments.";
const NOT_THERE = m.error_not_found();
const FORBIDDEN = m.error_forbidden();
const LOGIN_PATIENT = "Patient not found. Please log in again.";
const newDoctorLogin = { phone: newPhone(), email: newEmail() };
const newPatientPhone = newPhone();
const PLEASE_LOGIN = "Please login to start a chat.";
const DOCTOR_LOGIN = "Please login to access the chat";
const wrongPhone = "Please enter a valid 10-digit mobile number";
const garbled = (message: string) => (): [Anything, number, string, Who] => [{}, 401, message, "garbled"];

/** A full day of another doctor, for the waitlist. */
const FULL = dayFromNow(15);
const full = { doctor: "", visits: [] as string[] };
const waitFor = (date: string): Anything => ({ body: { doctorId: full.doctor, date, days: 0, age: 41, gender: "female" } });
/** Cancels one of its appointments and returns the offer of that time. */
async function offered() {
  await as("otherPatient").call("cancelAppointment", { params: { id: full.visits.shift()! } });
  const { body } = await as("patient").call("listWaitlist");
  return { params: { id: body.entries[0]!.offer!.id } };
}
/** An appointment of the doctor to which other times are proposed. */
const proposed = { id: "", times: ["09:00", "09:30"].map((time) => ({ date: dayFromNow(16), time: `${time.slice(1)} AM` })) };
async function proposal(): Promise<{ id: string; proposalId: string }> {
  await as("doctor").call("proposeTimesCall", { params: { id: proposed.id }, body: { times: proposed.times } });
  const { body } = await as("patient").call("getProposal", { params: { id: proposed.id } });
  return { id: proposed.id, proposalId: body.proposal!.id };
}
/** Books today's appointments of the patient with the doctor, whose queue gives them tokens. */
const queue = { id: "", booked: 0 };
async function token(): Promise<string> {
  const n = queue.booked++;
  const slot = { ...recentSlot(n), status: "accepted", name: `Queued ${n}` } as const;
  await makeVisit(server.db, { patient, doctor }, slot);
  // Reading the queues stores no token: a press or the job does.
  const planning = { db: server.db, actor: null, now: new Date(), integrations: {} as never, requestId: "test", ip: "" };
  await planDay(planning, { practiceId: doctor.id, date: slot.date });
  queue.id = (await as("doctor").call("listQueues")).body.sessions[0]!.id;
  return (await as("patient").call("listOwnTokensCall")).body.tokens.at(-1)!.id;
}
async function arrived(): Promise<string> {
  const id = await token();
  await as("patient").call("arriveCall", { params: { id } });
  return id;
}

const REGISTER = "Name,Mobile\nLakshmi Devi,9000000121\n";
/** Returns the doctor's import, once it is in this state. */
async function ownImport(state?: string): Promise<string> {
  const found = async () =>
    (
      await server.sql<
        { id: string; state: string }[]
      >`select id, state from imports where doctor_id = ${doctor.id} order by created_at limit 1`
    )[0];
  if (state) await vi.waitUntil(async () => (await found())?.state === state, { timeout: 15_000 });
  return (await found())!.id;
}
async function ownExport(): Promise<string> {
  const found = async () =>
    (await server.sql<{ id: string }[]>`select id from clinic_exports where doctor_id = ${doctor.id} and file_id is not null`)[0];
  await vi.waitUntil(found, { timeout: 15_000 });
  return (await found())!.id;
}

/** In an order in which they can succeed. TypeScript requires every call of the table. */
const ROWS: Record<CallName, Row> = {
  sendDoctorOtp: {
    as: "visitor",
    right: () => ({ body: { phone: typed(newDoctorLogin.phone), email: newDoctorLogin.email, isRegistration: true } }),
    visitor: null,
    other: null,
    malformed: () => [{ body: { phone: "12", email: "a@b.test" } }, 400, wrongPhone],
  },
  verifyDoctorOtp: {
    as: "visitor",
    right: async () => ({
      body: { phone: typed(newDoctorLogin.phone), email: newDoctorLogin.email, otp: await code(newDoctorLogin.phone) },
    }),
    visitor: null,
    other: null,
    malformed: () => [{ body: { phone: typed(newDoctorLogin.phone), email: newDoctorLogin.email } }, 400, "OTP is required"],
  },
  doctorAuth: {
    as: "visitor",
    right: () => ({ body: { email: newDoctorLogin.email, password: PASSWORD, mobileNumber: typed(newDoctorLogin.phone) } }),
    visitor: null,
    other: null,
    malformed: () => [
      { body: { email: "x@y.test", password: "short", mobileNumber: "9876543210" } },
      400,
      "Password must be at least 6 characters",
    ],
  },
  sendPatientOtp: {
    as: "visitor",
    right: () => ({ body: { phoneNumber: typed(newPatientPhone) } }),
    visitor: null,
    other: null,
    malformed: () => [{ body: {} }, 400, wrongPhone],
  },
  verifyPatientOtp: {
    as: "visitor",
    right: async () => ({ body: { phoneNumber: typed(newPatientPhone), otp: await code(newPatientPhone) } }),
    visitor: null,
    other: null,
    malformed: () => [{ body: { phoneNumber: "9876543210", otp: "12" } }, 400, "Please enter a valid 6-digit OTP"],
  },
  listDoctors: {
    as: "visitor",
    right: () => ({ query: { category: "General" } }),
    visitor: null,
    other: null,
    malformed: () => [{ query: { limit: 0 } }, 400, "The limit must be a whole number from 1 to 200."],
  },
  getDoctor: {
    as: "visitor",
    right: () => ({ params: { id: doctor.id } }),
    visitor: null,
    other: null,
    malformed: () => [{ params: { id: "1' or 1=1" } }, 400, "Doctor not found"],
  },
  listPractices: {
    as: "visitor",
    right: () => ({ params: { doctorId: doctor.id } }),
    visitor: null,
    other: null,
    malformed: () => [{ params: { doctorId: draftId } }, 404, "Doctor not found"],
  },
  listHospitalNames: {
    as: "visitor",
    right: () => ({ query: { q: "hospital" } }),
    visitor: null,
    other: null,
    malformed: () => [{ query: { cursor: "zzz" } }, 400, "This cursor is not valid. Take it from the Link header of the last page."],
  },
  listHospitals: {
    as: "patient",
    right: () => ({}),
    visitor: [401, "Authentication token not found"],
    other: null,
    malformed: () => [{ query: { limit: "many" } }, 400, "The limit must be a whole number from 1 to 200."],
  },
  getVerificationStatus: {
    as: "visitor",
    right: () => ({ params: { doctorId: doctor.id } }),
    visitor: null,
    other: null,
    malformed: () => [{ params: { doctorId: "nonsense" } }, 404, NOT_THERE],
  },
  verifyDoctor: {
    as: "draft",
    right: application,
    visitor: [401, "Doctor ID not found. Please login again."],
    other: ["otherDraft", 403, "Submit the application with the token of the same doctor."],
    malformed: (right) => [{ ...right, body: { ...right.body, panNumber: "12" } }, 400, m.application_pan_invalid()],
  },
  getProfile: {
    as: "doctor",
    right: () => ({}),
    visitor: [401, "Not authenticated. Please login again."],
    other: ["patient", 403, FORBIDDEN],
    malformed: garbled("Session expired. Please login again."),
  },
  saveOwnProfile: {
    as: "doctor",
    right: () => ({ body: { about: "Lungs.", consultationFee: 650, hospitalInfo: [], bankingInfo: [] } }),
    visitor: [401, "Not authenticated. Please login again."],
    other: ["patient", 403, FORBIDDEN],
    malformed: () => [{ body: { consultationFee: -1 } }, 400, m.application_fee_negative()],
  },
  getStats: {
    as: "doctor",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, FORBIDDEN],
    malformed: garbled(AUTH_FAILED),
  },
  getAvailability: {
    as: "patient",
    right: () => ({ params: { doctorIdOrDate: doctor.id } }),
    visitor: [401, "Authentication token not found"],
    other: ["otherDoctor", 404, "Please login again, doctor ID not found"],
    malformed: () => [{ params: { doctorIdOrDate: "nonsense" } }, 400, "Doctor ID missing"],
  },
  addAvailability: {
    as: "doctor",
    right: () => ({ body: { days: [{ date: dayFromNow(20), slots: ["9:00 AM", "17:30"] }] } }),
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, "Please login again"],
    malformed: () => [{ body: { days: [{ date: dayFromNow(20), slots: [] }] } }, 400, "Please select at least one time slot"],
  },
  changeAvailability: {
    as: "doctor",
    right: () => ({ params: { doctorIdOrDate: LATER }, body: { slots: ["9:30 AM"] } }),
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, "Please login again"],
    malformed: () => [
      { params: { doctorIdOrDate: LATER }, body: { slots: [] } },
      400,
      "Please select a date (from route) and at least one slot.",
    ],
  },
  deleteAvailability: {
    as: "doctor",
    right: () => ({ params: { doctorIdOrDate: FREE } }),
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, "Please login again"],
    malformed: () => [{ params: { doctorIdOrDate: "2026-02-31" } }, 400, "Invalid date format"],
  },
  listDoctorAppointments: {
    as: "doctor",
    right: () => ({ query: { limit: 2 } }),
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, DENIED],
    malformed: garbled(AUTH_FAILED),
  },
  acceptAppointment: {
    as: "doctor",
    right: () => ({ params: { id: visits.accept } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  completeAppointment: {
    as: "doctor",
    right: () => ({ params: { id: visits.complete } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  undoCompleteAppointment: {
    as: "doctor",
    right: () => ({ params: { id: visits.undo } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  cancelAppointment: {
    as: "doctor",
    right: () => ({ params: { id: visits.cancel } }),
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  listOwnAppointments: {
    as: "patient",
    right: () => ({}),
    visitor: [401, "Not authenticated"],
    other: ["doctor", 403, FORBIDDEN],
    malformed: garbled(AUTH_FAILED),
  },
  bookAppointmentCall: {
    as: "patient",
    right: () => booking(),
    visitor: [401, LOGIN_PATIENT],
    other: ["otherPatient", 403, LOGIN_PATIENT],
    malformed: (right) => [
      { body: { ...right.body, patientInfo: { ...right.body.patientInfo, age: "121" } } },
      400,
      "Please enter a valid age.",
    ],
  },
  proposeTimesCall: {
    as: "doctor",
    right: async () => {
      await addSlots(
        server.db,
        doctor.id,
        ["09:00", "09:30"].map((time) => ({ date: dayFromNow(16), time })),
      );
      proposed.id = await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(14), time: "10:00", status: "accepted" });
      return { params: { id: proposed.id }, body: { times: proposed.times } };
    },
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: (right) => [{ params: right.params, body: { times: [] } }, 400, m.proposals_choose()],
  },
  getProposal: {
    as: "patient",
    right: () => ({ params: { id: proposed.id } }),
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  declineProposalCall: {
    as: "patient",
    right: async () => ({ params: await proposal() }),
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: (right) => [{ params: { ...right.params, proposalId: "nonsense" } }, 404, NOT_THERE],
  },
  takeProposalCall: {
    as: "patient",
    right: async () => ({ params: await proposal(), body: proposed.times[0] }),
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: (right) => [{ params: right.params, body: { ...right.body, time: "nonsense" } }, 400, m.proposals_choose()],
  },
  joinWaitlistCall: {
    as: "patient",
    right: async () => {
      const slots = ["10:00", "10:30"].map((time) => ({ date: FULL, time }));
      const busy = await makeDoctor(server.db, { slots });
      full.doctor = busy.id;
      for (const slot of slots) full.visits.push(await makeVisit(server.db, { patient: otherPatient, doctor: busy }, slot));
      return waitFor(FULL);
    },
    visitor: [401, NO_TOKEN],
    other: ["doctor", 403, FORBIDDEN],
    malformed: (right) => [{ body: { ...right.body, days: 3 } }, 400, m.api_field()],
  },
  listWaitlist: {
    as: "patient",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["doctor", 403, FORBIDDEN],
    malformed: garbled(AUTH_FAILED),
  },
  passOfferCall: {
    as: "patient",
    right: offered,
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  takeOfferCall: {
    as: "patient",
    right: offered,
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  leaveWaitlistCall: {
    as: "patient",
    right: async () => {
      const { body } = await as("patient").call("joinWaitlistCall", waitFor(dayFromNow(17)) as Args<"joinWaitlistCall">);
      return { params: { id: body.entry.id } };
    },
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  listOwnTokensCall: {
    as: "patient",
    right: async () => {
      await token();
      return {};
    },
    visitor: [401, NO_TOKEN],
    other: ["doctor", 403, FORBIDDEN],
    malformed: garbled(AUTH_FAILED),
  },
  arriveCall: {
    as: "patient",
    right: async () => ({ params: { id: await token() } }),
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  returnCall: {
    as: "patient",
    right: async () => {
      const id = await arrived();
      await server.sql`update queue_entries set state = 'skipped', skipped_at = now(), called_at = now() where id = ${id}`;
      return { params: { id } };
    },
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  leaveQueueCall: {
    as: "patient",
    right: async () => ({ params: { id: await token() } }),
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  listQueues: {
    as: "doctor",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, FORBIDDEN],
    malformed: garbled(AUTH_FAILED),
  },
  getQueue: {
    as: "doctor",
    right: () => ({ params: { id: queue.id } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  createImport: {
    as: "doctor",
    right: async () => {
      // Confirmed in the last five minutes, whatever the clock of the test.
      await server.sql`update sessions set proven_at = now() + interval '1 hour' where user_id in (select id from doctors)`;
      return { body: { kind: "patients" }, files: { file: [[new Blob([REGISTER]), "register.csv"]] } };
    },
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, FORBIDDEN],
    malformed: (right) => [{ ...right, files: { file: [[new Blob(["nothing"]), "register.csv"]] } }, 400, m.import_fault_empty()],
  },
  checkImportRows: {
    as: "doctor",
    right: async () => ({ params: { id: await ownImport() }, body: { columns: ["name", "phone"] } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: (right) => [{ ...right, body: { columns: ["phone"] } }, 400, m.import_needs_name()],
  },
  getImportStatus: {
    as: "doctor",
    right: async () => ({ params: { id: await ownImport("checked") } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  listImportRows: {
    as: "doctor",
    right: async () => ({ params: { id: await ownImport() } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  decideImportRows: {
    as: "doctor",
    right: async () => ({ params: { id: await ownImport() }, body: { all: "leave-out", rows: [{ row: 2, decision: "same" }] } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: (right) => [{ ...right, body: { all: "nonsense" } }, 400, m.api_field()],
  },
  commitImport: {
    as: "doctor",
    right: async () => ({ params: { id: await ownImport() } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  undoImportCall: {
    as: "doctor",
    right: async () => ({ params: { id: await ownImport("done") }, body: {} }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" }, body: {} }, 404, NOT_THERE],
  },
  discardImportCall: {
    as: "doctor",
    right: async () => {
      // The job of the undo writes no row from here on.
      await ownImport("undone");
      const file: Anything = { body: { kind: "patients" }, files: { file: [[new Blob([REGISTER]), "b.csv"]] } };
      const { body } = await as("doctor").call("createImport", file as Args<"createImport">);
      return { params: { id: body.import.id } };
    },
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  createExport: {
    as: "doctor",
    right: () => ({ body: { kind: "patients", format: "csv" } }),
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, FORBIDDEN],
    malformed: () => [{ body: { kind: "nonsense", format: "csv" } }, 400, m.api_field()],
  },
  getExportStatus: {
    as: "doctor",
    right: async () => ({ params: { id: await ownExport() } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  downloadExport: {
    as: "doctor",
    right: async () => ({ params: { id: await ownExport() } }),
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  callNext: {
    as: "doctor",
    right: async () => {
      await server.sql`update queue_sessions set state = 'open', doctor_in_at = now() where id = ${queue.id}`;
      const { body } = await as("doctor").call("getQueue", { params: { id: queue.id } });
      return { params: { id: queue.id }, body: { entryId: body.next!.id } };
    },
    visitor: [401, NO_TOKEN],
    other: ["otherDoctor", 404, NOT_THERE],
    malformed: (right) => [{ params: right.params, body: { entryId: "nonsense" } }, 400, m.api_field()],
  },
  getOwnPatient: {
    as: "patient",
    right: () => ({}),
    visitor: [401, "Not authenticated. Please login again."],
    other: ["doctor", 403, FORBIDDEN],
    malformed: garbled("Session expired. Please login again."),
  },
  saveOwnPatient: {
    as: "patient",
    right: async () => ({
      body: { name: "Anjali R", phone: patient.phone, dob: "1985-01-02", gender: "Female" },
      files: { photo: [[await picture(), "me.jpg"]] },
    }),
    visitor: [401, "Not authenticated. Please login again."],
    other: ["doctor", 403, FORBIDDEN],
    malformed: () => [{ body: { dob: "1985-02-31" } }, 400, m.own_birth_invalid()],
  },
  countNotifications: {
    as: "patient",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["reviewer", 403, FORBIDDEN],
    malformed: garbled(AUTH_FAILED),
  },
  listOwnNotifications: {
    as: "patient",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["reviewer", 403, FORBIDDEN],
    malformed: () => [{ query: { limit: 101 } }, 400, "The limit must be a whole number from 1 to 100."],
  },
  readOneNotification: {
    as: "patient",
    right: () => ({ params: { id: notice } }),
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  readEveryNotification: {
    as: "patient",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["reviewer", 403, FORBIDDEN],
    malformed: garbled(AUTH_FAILED),
  },
  askAssistant: {
    as: "patient",
    right: () => ({ body: { patientId: patient.id, message: "my appointments" } }),
    visitor: [401, PLEASE_LOGIN],
    other: ["otherPatient", 403, PLEASE_LOGIN],
    malformed: () => [{ body: { patientId: patient.id, message: " \n " } }, 400, "Write a message."],
  },
  askByVoice: {
    as: "patient",
    right: () => ({ body: { patientId: patient.id }, files: { audio: [[recording(), "voice.webm"]] } }),
    visitor: [401, PLEASE_LOGIN],
    other: ["otherPatient", 403, PLEASE_LOGIN],
    malformed: (right) => [{ ...right, files: { audio: [[new Blob(["<html>"]), "voice.webm"]] } }, 415, m.assistant_sound_only()],
  },
  deleteAllChats: {
    as: "patient",
    right: () => ({ params: { patientId: patient.id } }),
    visitor: [401, "No patient logged in."],
    other: ["otherPatient", 403, "No patient logged in."],
    malformed: () => [{ params: { patientId: "nonsense" } }, 404, NOT_THERE],
  },
  askAsDoctor: {
    as: "doctor",
    right: () => ({ body: { doctorId: doctor.id, message: "visits today" } }),
    visitor: [401, DOCTOR_LOGIN],
    other: ["otherDoctor", 403, DOCTOR_LOGIN],
    malformed: () => [
      { body: { doctorId: doctor.id, message: "x".repeat(2001) } },
      400,
      "Your message is too long. Use at most 2000 characters.",
    ],
  },
  getDoctorMessages: {
    as: "doctor",
    right: () => ({ params: { doctorId: doctor.id } }),
    visitor: [401, DOCTOR_LOGIN],
    other: ["otherDoctor", 403, DOCTOR_LOGIN],
    malformed: () => [{ params: { doctorId: "nonsense" } }, 404, NOT_THERE],
  },
  clearDoctorMessages: {
    as: "doctor",
    right: () => ({ params: { doctorId: doctor.id } }),
    visitor: [401, DOCTOR_LOGIN],
    other: ["patient", 403, DOCTOR_LOGIN],
    malformed: () => [{ params: { doctorId: "nonsense" } }, 404, NOT_THERE],
  },
  listCases: {
    as: "reviewer",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["doctor", 403, FORBIDDEN],
    malformed: () => [{ query: { tab: "nonsense" as "waiting" } }, 400, m.api_field()],
  },
  getCase: {
    as: "reviewer",
    right: () => ({ params: { id: caseId } }),
    visitor: [401, NO_TOKEN],
    other: ["otherReviewer", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  decideCase: {
    as: "reviewer",
    right: () => decision(caseId, "save"),
    visitor: [401, NO_TOKEN],
    other: ["otherReviewer", 404, NOT_THERE],
    malformed: (right) => [{ params: right.params, body: { intent: "send-back" } }, 400, m.cases_reason_or_note()],
  },
  listAllCases: {
    as: "admin",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["reviewer", 403, FORBIDDEN],
    malformed: () => [{ query: { page: 0 } }, 400, m.api_field()],
  },
  getAnyCase: {
    as: "admin",
    right: () => ({ params: { id: approvedId } }),
    visitor: [401, NO_TOKEN],
    other: ["reviewer", 403, FORBIDDEN],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  decideAnyCase: {
    as: "admin",
    right: () => decision(approvedId, "save"),
    visitor: [401, NO_TOKEN],
    other: ["reviewer", 403, FORBIDDEN],
    malformed: (right) => [{ params: right.params, body: { intent: "nonsense" } }, 400, m.api_field()],
  },
  listVisits: {
    as: "patient",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["doctor", 403, FORBIDDEN],
    malformed: () => [{ query: { limit: 101 } }, 400, "The limit must be a whole number from 1 to 100."],
  },
  getVisit: {
    as: "patient",
    right: () => ({ params: { id: signedVisit } }),
    visitor: [401, NO_TOKEN],
    other: ["otherPatient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "nonsense" } }, 404, NOT_THERE],
  },
  getFile: {
    as: "reviewer",
    right: () => ({ params: { id: file } }),
    visitor: [401, NO_TOKEN],
    other: ["patient", 404, NOT_THERE],
    malformed: () => [{ params: { id: "..%2f" } }, 404, NOT_THERE],
  },
  sendProofOtp: {
    as: "admin",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, FORBIDDEN],
    malformed: garbled(AUTH_FAILED),
  },
  verifyProofOtp: {
    as: "doctor",
    right: async () => {
      const { challengeId } = (await as("doctor").call("sendProofOtp")).body;
      return { body: { challengeId, otp: await code(doctor.phone) } };
    },
    visitor: [401, NO_TOKEN],
    other: ["patient", 403, FORBIDDEN],
    malformed: (right) => [{ body: { ...right.body, otp: "12" } }, 400, "Please enter a valid 6-digit OTP"],
  },
  endToken: {
    as: "otherReviewer",
    right: () => ({}),
    visitor: [401, NO_TOKEN],
    other: null,
    malformed: garbled(AUTH_FAILED),
  },
};

/** The events of each call that changes a state. The other calls record none. */
const EVENTS: Partial<Record<CallName, EventKind[]>> = {
  doctorAuth: ["doctor.register"],
  verifyDoctor: ["doctor.submit"],
  bookAppointmentCall: ["appointment.book"],
  acceptAppointment: ["appointment.accept"],
  completeAppointment: ["appointment.complete"],
  undoCompleteAppointment: ["appointment.undo-complete"],
  cancelAppointment: ["appointment.cancel"],
  proposeTimesCall: ["proposal.propose"],
  declineProposalCall: ["proposal.decline"],
  takeProposalCall: ["appointment.take-proposal", "proposal.take"],
  joinWaitlistCall: ["waitlist.join"],
  passOfferCall: ["waitlist.pass", "waitlist.wait-again"],
  takeOfferCall: ["appointment.book", "waitlist.take"],
  leaveWaitlistCall: ["waitlist.end"],
  arriveCall: ["queue-entry.arrive"],
  returnCall: ["queue-entry.return"],
  leaveQueueCall: ["queue-entry.leave"],
  callNext: ["queue-entry.call"],
};

const as = (who: Who) => visitor.as(tokens[who] ?? null);
/** Returns a checksum of everything that a refused call must not change. */
const state = async () =>
  (
    await server.sql`select md5(string_agg(t, '|' order by t)) as sum from (
      select to_json(a)::text t from appointments a union all select to_json(s)::text from availability_slots s
      union all select to_json(d)::text from doctors d union all select to_json(p)::text from patients p
      union all select to_json(n)::text from notifications n union all select to_json(e)::text from verification_events e
      union all select to_json(f)::text from files f union all select to_json(c)::text from chat_messages c) all_rows`
  )[0]?.sum;

/** Waits until the events of earlier writes are sent, and forgets what was written so far. */
async function settled() {
  await expect.poll(async () => (await server.sql`select from live_events`).length).toBe(0);
  await takeWrites(server);
}

describe("each call", () => {
  it.each(Object.entries(ROWS) as [CallName, Row][])("%s", async (name, row) => {
    const right = await row.right();
    await expectEvents(server);
    const before = await state();
    if (row.visitor) await as("visitor").refused(name, right as Args<CallName>, ...row.visitor);
    if (row.other) await as(row.other[0]).refused(name, right as Args<CallName>, row.other[1], row.other[2]);
    // An expired token is refused even where none is required.
    const stale = await as("garbled").send(name, right as Args<CallName>);
    expect([stale.status, (stale.body as Refusal).success], name).toEqual([401, false]);
    expect(await state(), name).toBe(before);
    const [args, status, message, who] = row.malformed(right);
    const refused = await as(who ?? row.as).refused(name, args as Args<CallName>, status, message);
    if (status === 400 && refused.body.errors)
      for (const sentences of Object.values(refused.body.errors)) expect(sentences.length).toBeGreaterThan(0);
    expect(await expectEvents(server), "events of refused calls").toEqual([]);
    await settled();
    await as(row.as).call(name, right as Args<CallName>);
    if (ENDPOINTS[name].method === "GET") expect(await takeWrites(server), "rows that a GET wrote").toEqual([]);
    expect((await expectEvents(server)).sort()).toEqual([...(EVENTS[name] ?? [])].sort());
  });
});

describe("visits", () => {
  it("are read by their patient and their doctor, with the sentence of the print, and the doctor's reading is logged", async () => {
    const { body } = await as("patient").call("listVisits", {});
    const visit = body.visits.find(({ id }) => id === signedVisit)!;
    expect(visit).toMatchObject({
      appointmentId: signedVisit,
      doctor: { _id: doctor.id },
      followUpOn: dayFromNow(7),
      documents: [
        {
          kind: "prescription",
          state: "signed",
          diagnosis: "Viral fever",
          medicines: [
            {
              name: "Paracetamol",
              dose: { morning: 1, noon: 0, evening: 0, night: 0.5 },
              sentence: "Morning 1, night ½, after food, 3 days",
            },
          ],
          advice: [expect.any(String)],
        },
      ],
    });
    expect((await fetch(visit.documents[0]!.checkUrl)).status).toBe(200);
    const args = { params: { id: signedVisit } };
    expect((await as("doctor").call("getVisit", args)).body.visit).toEqual(visit);
    expect((await as("patient").call("getVisit", args)).body.visit).toEqual(visit);
    const log =
      await server.sql`select actor_id from audit_log where action = 'read-visit' and subject_id = ${signedVisit} and person_id = ${patient.id}`;
    expect(log.map((row) => row.actor_id)).toEqual([doctor.id]);
    for (const who of ["otherPatient", "otherDoctor"] as const) await as(who).refused("getVisit", args, 404, NOT_THERE);
    await as("admin").refused("getVisit", args, 403, FORBIDDEN);
    await as("patient").refused("getVisit", { params: { id: visits.accept } }, 404, NOT_THERE);
    expect((await as("otherPatient").call("listVisits", {})).body.visits).toEqual([]);
  });
});
