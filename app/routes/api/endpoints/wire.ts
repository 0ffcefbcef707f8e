/** The shapes that several calls share, as they travel. */
import { z } from "zod";
import { clockTime } from "#app/lib/dates.ts";
import { APPOINTMENT_STATUSES, CANCELLERS, GENDERS, REGISTRATION_STATUSES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Marks a text that contains JSON, as multipart forms send lists and objects. */
const JSON_TEXT = "x-json-text";
/** A part of a multipart form that is JSON text; JSON bodies send it as it is. */
export const jsonText = <S extends z.ZodType>(schema: S, wrong: () => string = () => m.api_field()) =>
  z
    .preprocess((value, context) => {
      if (typeof value !== "string") return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: wrong() });
        return z.NEVER;
      }
    }, schema)
    .meta({ [JSON_TEXT]: true });

export const Id = z.uuid();
/** The practice of a call: a doctor at a place. */
export const PracticeId = z
  .uuid({ error: () => m.api_practice_malformed() })
  .optional()
  .meta({ description: "One practice of the doctor, from GET /api/practices/{doctorId}." });
export const IdParam = z.object({ id: z.uuid() });
export const Done = z.object({ success: z.literal(true), message: z.string() });
export const done = (message: string) => ({ success: true as const, message });

export const Day = z.string().meta({ format: "date", examples: ["2026-11-24"] });
export const Time = z.string().meta({ examples: ["10:30 AM"] });
export const Span = z.object({ from: Time, until: Time });
export const spanOf = ({ from, until }: { from: string; until: string }) => ({ from: clockTime(from), until: clockTime(until) });
export const Instant = z.string().meta({ format: "date-time" });
export const Rupees = z.number().nullable().meta({ description: "Rupees. Null if not given." });
export const Gender = z.enum(GENDERS);
/** A profile's gender, as the specification's pages write it. */
export const Sex = z.enum(["Male", "Female", "Other"]);
const SEX = { male: "Male", female: "Female", other: "Other" } as const;
export const sexOf = (gender: keyof typeof SEX | null) => gender && SEX[gender];
export const Status = z.enum(APPOINTMENT_STATUSES);
export const CancelledBy = z
  .enum(CANCELLERS)
  .nullable()
  .meta({ description: 'Who cancelled it. "clinic": a member of the place, for the doctor. Null also when it was not paid in time.' });
export const RegistrationStatus = z.enum(REGISTRATION_STATUSES);

export const HospitalInfo = z.object({ hospitalName: z.string(), hospitalAddress: z.string(), contactNumber: z.string() });
export const Qualification = z.object({ degree: z.string(), universityCollege: z.string(), year: z.number().nullable() });
export const Place = z.object({ city: z.string(), state: z.string() });

/** Where a file is read with the same token. */
export const filePath = (fileId: string) => `/api/files/${fileId}`;
/** Paise to rupees. */
export const rupees = (paise: number | null) => (paise === null ? null : paise / 100);
