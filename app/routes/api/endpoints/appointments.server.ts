import { z } from "zod";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { readDoctorList } from "#app/domains/booking/appointments/read-doctor-list.server.ts";
import { requireOwnPractice } from "#app/domains/booking/availability/places.server.ts";
import { bookedAgeOn } from "#app/domains/platform/users/age-words.ts";
import type { DoctorAction } from "#app/domains/visit-time.ts";
import { endpoint, Page } from "#app/http/api/endpoint.ts";
import { ageWord } from "#app/lib/age.ts";
import { clockTime } from "#app/lib/dates.ts";
import { BLOOD_GROUPS, RECORD_TYPES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { CancelledBy, Day, Done, done, filePath, Gender, Id, IdParam, Instant, PracticeId, Status, Time } from "./wire.ts";

const group = "Appointments";

const PatientInfo = z.object({
  name: z.string(),
  age: z.number(),
  date_of_birth: Day.nullable(),
  age_text: z.string().meta({ description: 'The age on the day of the appointment in words: "7 months".' }),
  gender: Gender,
  phone: z.string(),
  note: z.string().nullable(),
  photo: z.string().nullable(),
  blood_group: z.enum(BLOOD_GROUPS).nullable(),
  medical_history_summary: z.string().nullable(),
});

export const listDoctorAppointments = endpoint({
  method: "GET",
  path: "/api/appointments/doctor",
  group,
  summary: "Lists the doctor's appointments with the patients' details and records, the latest first.",
  about:
    "Each call is written to the audit log, which patients can see. Fetch `file_url` with the same token. `practiceId` limits the list to one practice of the doctor.",
  who: ["doctor"],
  verified: true,
  query: z.object({ practiceId: PracticeId }),
  answer: z.object({
    success: z.literal(true),
    count: z.number(),
    appointments: z.array(
      z.object({
        _id: Id,
        id: Id,
        practiceId: Id,
        date: Day,
        time: Time,
        status: Status,
        reason: z.string(),
        cancelledBy: CancelledBy,
        name: z.string(),
        patientInfo: PatientInfo,
        patient: z.object({ phone: z.string() }),
        medicalRecords: z.array(
          z.object({
            description: z.string(),
            record_type: z.enum(RECORD_TYPES),
            file_url: z.string().meta({ description: "Fetch it with the same token." }),
            upload_date: Instant,
          }),
        ),
      }),
    ),
  }),
  list: { bound: 500, max: 100 },
  sentences: {
    wrongRole: () => m.api_appointments_denied(),
    unverified: () => m.api_appointments_denied(),
    failed: () => m.appointments_load_failed(),
  },
  async run({ ctx, paging, origin, query: { practiceId } }) {
    if (practiceId) await requireOwnPractice(ctx, practiceId);
    const { rows, hasMore } = await readDoctorList(ctx, { practiceId, ...paging });
    const appointments = rows.map((row) => ({
      _id: row.id,
      id: row.id,
      practiceId: row.practiceId,
      date: row.date,
      time: clockTime(row.time),
      status: row.status,
      reason: row.reason,
      cancelledBy: row.cancelledBy,
      name: row.patientName,
      patientInfo: {
        name: row.patientName,
        age: row.patientAge,
        date_of_birth: row.patientBirthDate,
        age_text: ageWord(bookedAgeOn(row, row.date)),
        gender: row.patientGender,
        phone: row.patientPhone,
        note: row.patientNote,
        photo: row.photoFileId && origin + filePath(row.photoFileId),
        blood_group: row.bloodGroup,
        medical_history_summary: row.medicalHistory,
      },
      patient: { phone: row.patientPhone },
      medicalRecords: row.documents.map((document) => ({
        description: document.description,
        record_type: document.recordType,
        file_url: origin + filePath(document.fileId),
        upload_date: document.uploadedAt.toISOString(),
      })),
    }));
    return new Page({ success: true as const, count: appointments.length, appointments }, hasMore);
  },
});

const changeFailed = {
  accept: () => m.appointments_failed_accept(),
  complete: () => m.appointments_failed_complete(),
  "undo-complete": () => m.appointments_failed_undo(),
  cancel: () => m.appointments_failed_cancel(),
};
const changed = {
  accept: () => m.appointments_accepted(),
  complete: () => m.appointments_completed(),
  "undo-complete": () => m.appointments_undone(),
  cancel: () => m.appointments_cancelled(),
};
const change = <const W extends readonly ["doctor"] | readonly ["doctor", "patient"]>(
  action: DoctorAction,
  who: W,
  summary: string,
  about: string,
) =>
  endpoint({
    method: "PUT",
    path: `/api/appointments/{id}/${action}`,
    group,
    summary,
    about,
    who: who as readonly ["doctor", "patient"],
    verified: true,
    params: IdParam,
    answer: Done,
    sentences: {
      wrongRole: () => m.api_appointments_denied(),
      unverified: () => m.api_appointments_denied(),
      failed: changeFailed[action],
    },
    async run({ ctx, params }) {
      await changeAppointment(ctx, { id: params.id, action });
      return done(changed[action]());
    },
  });

export const acceptAppointment = change(
  "accept",
  ["doctor"],
  "Accepts a pending appointment of the doctor.",
  "The patient is notified. An appointment in another status is refused with 409.",
);
export const completeAppointment = change(
  "complete",
  ["doctor"],
  "Completes an accepted appointment of the doctor, from its booked time.",
  "An appointment in another status, or before its time, is refused with 409.",
);
export const undoCompleteAppointment = change(
  "undo-complete",
  ["doctor"],
  "Undoes the completion of an appointment of the doctor.",
  "Not in the specification. Possible within ten minutes and before the patient writes a review. Afterwards it is refused with 409.",
);
/** What follows from the cancelled appointment: followCancellation. */
export const cancelAppointment = change(
  "cancel",
  ["doctor", "patient"],
  "Cancels an open appointment of the doctor or the patient.",
  "Patients can cancel up to 24 hours before the start, later where the policy of the clinic allows it, and a pending appointment until the start. What was paid is then returned in full. The other side is notified.",
);
