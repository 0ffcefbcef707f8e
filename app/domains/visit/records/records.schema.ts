import { z } from "zod";
import { type DateKey, isDateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { emptyAsNone } from "#app/lib/empty-as-none.ts";
import { RECORD_TYPES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const OLDEST = "1900-01-01";

/** A document that is added. `file`: of this post. `received`: of an earlier post with errors. */
const documentOn = (today: DateKey) =>
  z.object({
    recordType: z.preprocess(emptyAsNone, z.enum(RECORD_TYPES).default("other")),
    description: z
      .string({ error: () => m.records_description_required() })
      .trim()
      .min(1, { error: () => m.records_description_required() })
      .max(200, { error: () => m.records_description_long() }),
    date: z.preprocess(
      emptyAsNone,
      z
        .string()
        .trim()
        .overwrite(plainDigits)
        .refine((date) => isDateKey(date) && date >= OLDEST && date <= today, { error: () => m.records_date_invalid() })
        .default(today),
    ),
    received: z.preprocess(emptyAsNone, z.uuid().optional()),
    file: z.preprocess(emptyAsNone, z.uuid().optional()),
  });

/** A document that a patient adds. */
export const recordFormOn = (today: DateKey) =>
  documentOn(today).extend({
    person: z.preprocess(emptyAsNone, z.union([z.literal("me"), z.uuid()]).default("me")),
    /** The order of tests whose result it is. */
    order: z.preprocess(emptyAsNone, z.uuid().optional()),
  });

/** The result of an order that the doctor adds. */
export const placeResultFormOn = documentOn;
export type PlaceResultForm = z.output<ReturnType<typeof documentOn>>;

/** The result of an order that staff add, by the code on the order. */
export const memberResultFormOn = (today: DateKey) =>
  documentOn(today).extend({
    code: z
      .string({ error: () => m.result_code_required() })
      .trim()
      .min(1, { error: () => m.result_code_required() })
      .max(40, { error: () => m.result_code_unknown() }),
  });
export type RecordForm = z.output<ReturnType<typeof recordFormOn>>;
