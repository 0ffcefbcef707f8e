import { z } from "zod";
import { addDaySchema, ChangeDaySchema } from "#app/domains/booking/availability/availability.schema.ts";
import { addSlots, setDaySlots } from "#app/domains/booking/availability/change-slots.server.ts";
import { listFreeDays, listSlotDays } from "#app/domains/booking/availability/queries.server.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { validate } from "#app/http/submit-json.server.ts";
import { clockTime, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Day, Done, done, Time } from "./wire.ts";

const group = "Availability";
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
  about: "A patient sends the id of a doctor. Doctors send their own id and also get their booked times.",
  who: ["patient", "doctor"],
  params: z.object({ doctorIdOrDate: z.string() }),
  answer: z.object({ success: z.literal(true), days: z.array(z.object({ date: Day, slots: z.array(Time) })) }),
  sentences: { ...sentences, noToken: () => m.api_token_missing(), failed: () => m.api_availability_fetch_failed() },
  async run({ ctx, params: { doctorIdOrDate: doctorId } }) {
    const written = (days: { date: string; slots: string[] }[]) => ({
      success: true as const,
      days: days.map(({ date, slots }) => ({ date, slots: slots.map(clockTime) })),
    });
    if (ctx.actor.role === "doctor") {
      if (doctorId !== ctx.actor.userId) throw new DomainError("not-found", m.api_availability_no_doctor());
      const { days } = await listSlotDays(ctx, { limit: MAX_DAYS });
      return written(days.map(({ date, slots }) => ({ date, slots: slots.map(({ time }) => time) })));
    }
    if (!z.uuid().safeParse(doctorId).success) throw new DomainError("invalid", m.api_availability_patient_no_doctor());
    if (!(await findBookableDoctor(ctx, doctorId))) throw new DomainError("not-found", m.api_doctor_not_found());
    return written(await listFreeDays(ctx, doctorId));
  },
});

export const addAvailability = endpoint({
  method: "POST",
  path: "/api/availability",
  group,
  summary: "Adds times to days of the doctor.",
  about: "Times that exist already are not changed. `added` counts the new ones.",
  who: ["doctor"],
  verified: true,
  body: z.object({
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
    const { days } = validate(z.object({ days: z.array(addDaySchema(todayInIndia(ctx.now))) }), body);
    const added = await addSlots(
      ctx,
      days.map(({ date, slots }) => ({ date, times: slots })),
    );
    return { ...done(m.availability_added()), added };
  },
});

export const changeAvailability = endpoint({
  method: "PUT",
  path: "/api/availability/{doctorIdOrDate}",
  group,
  summary: "Replaces the times of one day of the doctor.",
  about: "The path has the date, as yyyy-mm-dd. When a booked time would be removed, the call is refused with 409 and nothing changes.",
  who: ["doctor"],
  verified: true,
  params: dateParam,
  body: z.object({ slots: ChangeDaySchema.shape.slots }),
  answer: Done,
  sentences: { ...sentences, failed: () => m.api_availability_update_failed() },
  async run({ ctx, params, body }) {
    await setDaySlots(ctx, { date: params.doctorIdOrDate, slots: body.slots });
    return done(m.availability_updated());
  },
});

export const deleteAvailability = endpoint({
  method: "DELETE",
  path: "/api/availability/{doctorIdOrDate}",
  group,
  summary: "Deletes all times of one day of the doctor.",
  about: "The path has the date, as yyyy-mm-dd. When a time of the day is booked, the call is refused with 409 and nothing changes.",
  who: ["doctor"],
  verified: true,
  params: dateParam,
  answer: Done,
  sentences: { ...sentences, failed: () => m.api_availability_delete_failed() },
  async run({ ctx, params }) {
    await setDaySlots(ctx, { date: params.doctorIdOrDate, slots: [] });
    return done(m.availability_deleted());
  },
});
