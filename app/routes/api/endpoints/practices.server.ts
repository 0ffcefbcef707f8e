import { z } from "zod";
import { listPracticesOfDoctor } from "#app/domains/directory/doctors/practices-of-doctor.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { clockTime } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { PRACTICE_MODES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { HospitalInfo, Id, Place, Rupees, rupees, Time } from "./wire.ts";

export const listPractices = endpoint({
  method: "GET",
  path: "/api/practices/{doctorId}",
  group: "Doctors and hospitals",
  summary: "Lists where a verified doctor sees patients: place, fee, hours and length of an appointment.",
  about:
    "Not in the specification. The first practice has the doctor's own id, and the hospital and fee of the profile. Doctors who send their own id and token also get practices that wait for the place to accept them.",
  who: "everybody",
  params: z.object({ doctorId: z.uuid({ error: () => m.api_doctor_not_found() }) }),
  answer: z.object({
    success: z.literal(true),
    practices: z.array(
      z.object({
        _id: Id,
        id: Id,
        practiceId: Id,
        doctorId: Id,
        isFirst: z.boolean(),
        state: z.enum(["asked", "active"]).meta({ description: "`asked`: the place has not accepted the doctor yet." }),
        location: Place,
        hospital: HospitalInfo.extend({ hospitalId: Id.nullable(), latitude: z.number().nullable(), longitude: z.number().nullable() })
          .nullable()
          .meta({ description: "Null for a doctor without a hospital. `hospitalId` is null for a place without a public page." }),
        consultationFee: Rupees,
        slotMinutes: z.number().meta({ description: "Length of an appointment." }),
        patientsPerSlot: z.number(),
        mode: z.enum(PRACTICE_MODES),
        hours: z
          .array(z.object({ weekday: z.number().meta({ description: "0 is Sunday." }), from: Time, until: Time }))
          .meta({ description: "Weekly hours. Empty: the doctor opens days one by one." }),
      }),
    ),
  }),
  sentences: { failed: () => m.api_doctors_failed() },
  async run({ ctx, params }) {
    const rows = await listPracticesOfDoctor(ctx, params.doctorId);
    if (!rows) throw new DomainError("not-found", m.api_doctor_not_found());
    return {
      success: true as const,
      practices: rows.map((row) => ({
        _id: row.id,
        id: row.id,
        practiceId: row.id,
        doctorId: row.doctorId,
        isFirst: row.isFirst,
        state: row.state === "asked" ? ("asked" as const) : ("active" as const),
        location: { city: row.city, state: row.region },
        hospital: row.hospitalId
          ? {
              hospitalId: row.hospitalListed ? row.hospitalId : null,
              hospitalName: row.name ?? "",
              hospitalAddress: row.address ?? "",
              contactNumber: row.phone ? formatPhone(row.phone) : "",
              latitude: row.latitude,
              longitude: row.longitude,
            }
          : null,
        consultationFee: rupees(row.fee),
        slotMinutes: row.slotMinutes,
        patientsPerSlot: row.patientsPerSlot,
        mode: row.mode,
        hours: row.hours.map(({ weekday, from, until }) => ({ weekday, from: clockTime(from), until: clockTime(until) })),
      })),
    };
  },
});
