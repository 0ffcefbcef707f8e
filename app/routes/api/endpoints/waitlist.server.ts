/** Not in the specification: waitlists, and other times that a doctor proposes (docs/waitlist.md, app/domains/booking/appointments). */

import { z } from "zod";
import { takeOffer } from "#app/domains/booking/appointments/take-offer.server.ts";
import { leaveWaitlist, passOffer } from "#app/domains/booking/waitlist/answer-offer.server.ts";
import { joinWaitlist } from "#app/domains/booking/waitlist/join-waitlist.server.ts";
import { listOwnEntries } from "#app/domains/booking/waitlist/queries.server.ts";
import { DAYS_AHEAD } from "#app/domains/booking/waitlist/rules.ts";
import { JoinFormSchema } from "#app/domains/booking/waitlist/waitlist.schema.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { clockTime, isDateKey } from "#app/lib/dates.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { Day, Done, done, Gender, Id, IdParam, PracticeId, Time } from "./wire.ts";

const group = "Waitlist";
const PARTS = ["morning", "afternoon", "evening"] as const;

export const listWaitlist = endpoint({
  method: "GET",
  path: "/api/waitlist",
  group,
  summary: "Lists the doctors for whom the patient waits, with the offered times.",
  about:
    "Not in the specification. Offers come first. Entries that ended in the last seven days are at the end. `offer.isOver` is true when its time to answer has passed.",
  who: ["patient"],
  answer: z.object({
    success: z.literal(true),
    entries: z.array(
      z.object({
        id: Id,
        state: z.enum(["waiting", "offered", "taken", "passed", "lapsed", "ended"]),
        endReason: z.string().nullable().meta({ description: "Why the entry ended." }),
        doctorId: Id,
        doctorName: z.string(),
        patientName: z.string(),
        place: z.number().meta({ description: "The place in the order of this doctor's waitlist." }),
        from: Day,
        until: Day,
        parts: z.array(z.enum(PARTS)).meta({ description: "Parts of the day that suit. Empty: every part." }),
        appointment: z
          .object({ id: Id, date: Day, time: Time })
          .nullable()
          .meta({ description: "The later appointment that a taken offer moves, or the one that was booked." }),
        offer: z
          .object({
            id: Id,
            date: Day,
            time: Time,
            until: z.object({ date: Day, time: Time }).meta({ description: "Until when the patient can answer." }),
            isOver: z.boolean(),
          })
          .nullable(),
      }),
    ),
  }),
  sentences: { failed: () => m.api_waitlist_failed() },
  async run({ ctx }) {
    const entries = await listOwnEntries(ctx);
    return {
      success: true as const,
      entries: entries.map((entry) => ({
        id: entry.id,
        state: entry.state,
        endReason: entry.endReason,
        doctorId: entry.doctorId,
        doctorName: entry.doctorName,
        patientName: entry.patientName,
        place: entry.place,
        from: entry.fromDate,
        until: entry.untilDate,
        parts: entry.parts,
        appointment: entry.visit && { ...entry.visit, time: clockTime(entry.visit.time) },
        offer: entry.offer && {
          id: entry.offer.id,
          date: entry.offer.date,
          time: clockTime(entry.offer.time),
          until: { date: entry.offer.until.date, time: clockTime(entry.offer.until.time) },
          isOver: entry.offer.isOver,
        },
      })),
    };
  },
});

const form = JoinFormSchema.shape;
const orNone = <S extends z.ZodType>(schema: S) => z.preprocess((value) => value ?? undefined, schema);

export const joinWaitlistCall = endpoint({
  method: "POST",
  path: "/api/waitlist",
  group,
  summary: "Puts the patient, or a family member, on the waitlist of a doctor.",
  about:
    "Not in the specification. With `appointmentId`: waits for a time before this appointment, which moves when an offer is taken. Without it: `days` after `date` (0, 7 or 30), at one practice or at all. `name`, `age` and `gender` are needed where the profile lacks them. 409: a time that suits is free, or the person waits already.",
  who: ["patient"],
  body: z.object({
    doctorId: z.uuid({ error: () => m.api_doctor_not_found() }),
    practiceId: PracticeId,
    appointmentId: z.uuid().optional(),
    date: z
      .string()
      .refine(isDateKey, { error: () => m.availability_date_malformed() })
      .optional(),
    days: z.union(DAYS_AHEAD.map((n) => z.literal(n)) as [z.ZodLiteral<0>, z.ZodLiteral<7>, z.ZodLiteral<30>]).default(7),
    parts: z.array(z.enum(PARTS)).max(3).default([]),
    who: form.who.meta({ description: '"me", or the id of a family member.' }),
    name: orNone(z.string().trim().max(MAX_LINE).optional()),
    age: orNone(z.number().int().min(1).max(120).optional()),
    dateOfBirth: form.dateOfBirth.meta({ description: "Takes the place of `age`. Needed for a child under 1 year." }),
    gender: orNone(Gender.optional()),
    sms: z.boolean().default(false).meta({ description: "Send offers by SMS too." }),
  }),
  answer: Done.extend({ entry: z.object({ id: Id }) }),
  status: 201,
  creates: true,
  sentences: { failed: () => m.api_waitlist_failed() },
  async run({ ctx, body: { appointmentId, ...body } }) {
    const entry = await joinWaitlist(ctx, { ...body, appointment: appointmentId });
    return { ...done(m.waitlist_joined()), entry };
  },
});

export const leaveWaitlistCall = endpoint({
  method: "DELETE",
  path: "/api/waitlist/{id}",
  group,
  summary: "Takes an entry of the patient off the waitlist.",
  about: "Not in the specification. Also while a time is offered, which then goes to the next patient. A repeated call changes nothing.",
  who: ["patient"],
  params: IdParam,
  answer: Done,
  sentences: { failed: () => m.api_waitlist_failed() },
  async run({ ctx, params }) {
    await leaveWaitlist(ctx, params.id);
    return done(m.waitlist_left_now());
  },
});

export const takeOfferCall = endpoint({
  method: "POST",
  path: "/api/waitlist/offers/{id}/take",
  group,
  summary: "Takes an offered time: books it, or moves the later appointment to it.",
  about:
    "Not in the specification. A repeated call returns the same appointment. 409: the offer has ended, the time was removed, or the doctor is suspended.",
  who: ["patient"],
  params: IdParam,
  answer: Done.extend({ appointment: z.object({ id: Id }) }),
  sentences: { failed: () => m.api_waitlist_failed() },
  async run({ ctx, params }) {
    const appointment = await takeOffer(ctx, params.id);
    return { ...done(m.waitlist_taken_now()), appointment: { id: appointment.id } };
  },
});

export const passOfferCall = endpoint({
  method: "POST",
  path: "/api/waitlist/offers/{id}/pass",
  group,
  summary: "Declines an offered time. The patient keeps the place on the waitlist.",
  about: "Not in the specification. The time goes to the next patient. A repeated call changes nothing. 409: the offer has ended.",
  who: ["patient"],
  params: IdParam,
  answer: Done,
  sentences: { failed: () => m.api_waitlist_failed() },
  async run({ ctx, params }) {
    await passOffer(ctx, params.id);
    return done(m.waitlist_passed_now());
  },
});
