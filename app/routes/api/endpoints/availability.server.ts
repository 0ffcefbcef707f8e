import { z } from "zod";
import {
  addDaySchema,
  ChangeDaySchema,
  PracticeTimesSchema,
  practiceDaySchema,
} from "#app/domains/booking/availability/availability.schema.ts";
import { addSlots, setDaySlots } from "#app/domains/booking/availability/change-slots.server.ts";
import { requireBookablePractice, requireOwnPractice } from "#app/domains/booking/availability/places.server.ts";
import { listTimes } from "#app/domains/booking/availability/queries.server.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { validate } from "#app/http/submit-json.server.ts";
import { clockTime, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Day, Done, done, Id, PracticeId, Time } from "./wire.ts";

const group = "Availability";
/** Calls that change times. */
const practiceId = PracticeId.meta({
  description: "One of the doctor's practices, whose times may be other than the eighteen. Without it: the first practice.",
});
/** Six months and a little. */
const MAX_DAYS = 190;
const Slots = z.array(Time, { error: () => m.availability_slot_missing() });
const sentences = {
  noToken: () => m.api_no_token(),
  badToken: () => m.api_availability_expired(),
  wrongRole: () => m.api_availability_login(),
};
const dateParam = z.object({ doctorIdOrDate: z.string().refine(isDateKey, { error: () => m.availability_date_malformed() }) });

export const getAvailability = endpoint({
  method: "GET",
  path: "/api/availability/{doctorIdOrDate}",
  group,
  summary: "Returns the free times of a doctor.",
  about:
    "A patient sends the id of a doctor. Doctors send their own id and also get their booked times. `practiceId` limits the answer to one practice. Without it, the answer has the times of all practices. `times` lists the same times as `slots`, each with its practice.",
  who: ["patient", "doctor"],
  params: z.object({ doctorIdOrDate: z.string() }),
  query: z.object({ practiceId: PracticeId }),
  answer: z.object({
    success: z.literal(true),
    days: z.array(
      z.object({
        date: Day,
        slots: z.array(Time),
        times: z.array(
          z.object({
            time: Time,
            practiceId: Id,
            minutes: z.number().meta({ description: "Length of the appointment, or of the session." }),
            tokens: z.boolean().meta({ description: "A session: its patients get a number. Book it as any other time." }),
          }),
        ),
      }),
    ),
  }),
  sentences: { ...sentences, noToken: () => m.api_token_missing(), failed: () => m.api_availability_fetch_failed() },
  async run({ ctx, params: { doctorIdOrDate: doctorId }, query: { practiceId } }) {
    const own = ctx.actor.role === "doctor";
    if (own) {
      if (doctorId !== ctx.actor.userId) throw new DomainError("not-found", m.api_availability_no_doctor());
      if (practiceId) await requireOwnPractice(ctx, practiceId);
    } else {
      if (!z.uuid().safeParse(doctorId).success) throw new DomainError("invalid", m.api_availability_patient_no_doctor());
      if (!(await findBookableDoctor(ctx, doctorId))) throw new DomainError("not-found", m.api_doctor_not_found());
      if (practiceId) await requireBookablePractice(ctx, { doctorId, practiceId });
    }
    const days = await listTimes(ctx, { doctorId, practiceId, booked: own });
    return {
      success: true as const,
      days: days.slice(0, MAX_DAYS).map(({ date, times }) => {
        const shown = times.map((time) => ({ ...time, time: clockTime(time.time) }));
        return { date, slots: shown.map(({ time }) => time), times: shown };
      }),
    };
  },
});

export const addAvailability = endpoint({
  method: "POST",
  path: "/api/availability",
  group,
  summary: "Adds times to days of the doctor.",
  about:
    "Times that exist already are not changed. `added` counts the new ones. A day of leave, and a time at which the doctor is in another practice, are refused with 409.",
  who: ["doctor"],
  verified: true,
  body: z.object({
    practiceId,
    days: z
      .array(z.object({ date: z.string({ error: () => m.availability_date_required() }), slots: Slots }), {
        error: () => m.availability_slot_missing(),
      })
      .min(1, { error: () => m.availability_date_required() })
      .max(MAX_DAYS, { error: () => m.availability_date_far() }),
  }),
  answer: Done.extend({ added: z.number() }),
  creates: true,
  sentences: { ...sentences, failed: () => m.api_availability_add_failed() },
  async run({ ctx, body }) {
    const day = (body.practiceId ? practiceDaySchema : addDaySchema)(todayInIndia(ctx.now));
    const { days } = validate(z.object({ days: z.array(day) }), body);
    const added = await addSlots(
      ctx,
      days.map(({ date, slots }) => ({ date, times: slots })),
      { practiceId: body.practiceId },
    );
    return { ...done(m.availability_added()), added };
  },
});

export const changeAvailability = endpoint({
  method: "PUT",
  path: "/api/availability/{doctorIdOrDate}",
  group,
  summary: "Replaces the times of one day of the doctor in a practice.",
  about: "The path has the date, as yyyy-mm-dd. When a booked time would be removed, the call is refused with 409 and nothing changes.",
  who: ["doctor"],
  verified: true,
  params: dateParam,
  body: z.object({ practiceId, slots: z.array(Time, { error: () => m.availability_change_missing() }) }),
  answer: Done,
  sentences: { ...sentences, failed: () => m.api_availability_update_failed() },
  async run({ ctx, params, body }) {
    const { practiceId } = body;
    const { slots } = validate(practiceId ? PracticeTimesSchema : ChangeDaySchema, body);
    await setDaySlots(ctx, { date: params.doctorIdOrDate, slots, practiceId });
    return done(m.availability_updated());
  },
});

export const deleteAvailability = endpoint({
  method: "DELETE",
  path: "/api/availability/{doctorIdOrDate}",
  group,
  summary: "Deletes all times of one day of the doctor in a practice.",
  about: "The path has the date, as yyyy-mm-dd. When a time of the day is booked, the call is refused with 409 and nothing changes.",
  who: ["doctor"],
  verified: true,
  params: dateParam,
  query: z.object({ practiceId }),
  answer: Done,
  sentences: { ...sentences, failed: () => m.api_availability_delete_failed() },
  async run({ ctx, params, query }) {
    await setDaySlots(ctx, { date: params.doctorIdOrDate, slots: [], practiceId: query.practiceId });
    return done(m.availability_deleted());
  },
});
