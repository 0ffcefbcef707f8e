import { SchemaType } from "@google/generative-ai";
import { z } from "zod";
import type { Source } from "#app/db/schema/index.ts";
import { readToday } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { listNearestFree } from "#app/domains/booking/availability/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { CATEGORIES, SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";
import { findDoctorKind } from "#app/domains/directory/symptoms/doctor-kinds.ts";
import type { GeminiTool } from "#app/integrations/gemini/gemini.server.ts";
import { formatDay, formatTime, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import { findDoctors, placeNamed } from "./find-doctors.server.ts";
import { comingVisits } from "./helper.server.ts";

const word = z.string().trim().max(100).optional().catch(undefined);
const FindArgs = z.object({ specialty: word, city: word });
const SlotArgs = z.object({ doctor: z.string().trim().max(10).catch("") });

const FOUND = 5;

/** Doctors and sources that the model has received for an answer, with the names used for doctors. */
export type ToolTrace = { doctorIds: string[]; sources: Source[] };

/**
 * Returns the tools of the model, with the permissions of the actor. They only read, and return no ids, phone numbers, patients
 * or health data. Doctors are named D1, D2 … within an answer.
 */
export function toolsFor(ctx: Ctx<Actor>): { tools: GeminiTool[]; trace: ToolTrace } {
  const trace: ToolTrace = { doctorIds: [], sources: [] };
  const named: string[] = [];
  const cite = (source: Source) => {
    if (!trace.sources.some((known) => known.label === source.label)) trace.sources.push(source);
  };
  const when = ({ date, time }: { date: string; time: string }) => `${formatDay(date)}, ${formatTime(time)}`;

  const find: GeminiTool = {
    name: "find_doctors",
    description: "Finds verified doctors who can be booked in Nadi, nearest first, with fee and next free time.",
    parameters: {
      type: SchemaType.OBJECT,
      properties: {
        specialty: {
          type: SchemaType.STRING,
          description: `One of: ${[...CATEGORIES, ...SPECIALTY_CHIPS].join(", ")}. Leave out for any.`,
        },
        city: { type: SchemaType.STRING, description: "A city in India. Leave out for the person's own city." },
      },
    },
    async run(args) {
      const { specialty, city } = FindArgs.parse(args ?? {});
      const kind = specialty ? findDoctorKind(specialty) : null;
      if (specialty && !kind && specialty.toLowerCase() !== "general") return { doctors: [], note: "No such specialty in Nadi." };
      const place = await placeNamed(ctx, city);
      const doctors = await findDoctors(ctx, kind ?? (specialty ? { label: "General", category: "General" } : null), place, FOUND);
      cite({ label: m.assistant_source_doctors(), to: pathOf({ page: "doctors" }) });
      trace.doctorIds = doctors.map((doctor) => doctor.id);
      return {
        city: place.name,
        doctors: doctors.map((doctor) => {
          if (!named.includes(doctor.id)) named.push(doctor.id);
          return {
            doctor: `D${named.indexOf(doctor.id) + 1}`,
            name: doctor.name,
            specialty: doctor.specialization,
            yearsOfExperience: doctor.experienceYears,
            place: [doctor.area, doctor.city].filter(Boolean).join(", "),
            fee: doctor.fee === null ? "not mentioned" : formatRupees(doctor.fee),
            nextFree: doctor.nextFree ? when(doctor.nextFree) : "none",
          };
        }),
      };
    },
  };
  const slots: GeminiTool = {
    name: "next_free_slots",
    description: "The next free times of a doctor that find_doctors has named.",
    parameters: {
      type: SchemaType.OBJECT,
      properties: { doctor: { type: SchemaType.STRING, description: 'As named by find_doctors: "D1".' } },
      required: ["doctor"],
    },
    async run(args) {
      const { doctor } = SlotArgs.parse(args ?? {});
      const id = named[Number(/^D([1-9]\d?)$/.exec(doctor)?.[1] ?? 0) - 1];
      if (!id) return { error: "Ask find_doctors first." };
      const free = await listNearestFree(ctx, id, { date: todayInIndia(ctx.now), time: timeInIndia(ctx.now) }, FOUND);
      return { doctor, free: free.map(when) };
    },
  };
  const mine: GeminiTool = {
    name: "my_appointments",
    description: ctx.actor.role === "doctor" ? "The doctor's own visits of today, without names." : "The person's own coming visits.",
    async run() {
      if (ctx.actor.role === "doctor") {
        cite({ label: m.assistant_source_visits(), to: pathOf({ page: "doctor-appointments" }) });
        const { rows, seen, left } = await readToday(ctx);
        return { count: rows.length, seen, toCome: left, today: rows.map(({ time, status }) => ({ time: formatTime(time), status })) };
      }
      cite({ label: m.assistant_source_visits(), to: pathOf({ page: "patient-calendar" }) });
      const coming = await comingVisits(ctx);
      return { coming: coming.map((v) => ({ when: when(v), doctor: v.doctorName, specialty: v.specialization, status: v.status })) };
    },
  };
  return { tools: ctx.actor.role === "doctor" ? [mine] : [find, slots, mine], trace };
}
