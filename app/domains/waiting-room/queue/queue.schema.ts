import { z } from "zod";
import { phoneWith } from "#app/domains/platform/accounts/accounts.schema.ts";
import { ageField, birthDateField, birthDateFirst } from "#app/domains/platform/users/age.schema.ts";
import { parseTime } from "#app/lib/dates.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { ANOTHER, TWIN } from "./known-person.ts";

const id = z.uuid();
const phone = phoneWith(
  () => m.queue_phone_missing(),
  () => m.queue_phone_missing(),
);
const time = z.string({ error: () => m.queue_expected_missing() }).transform((typed, context) => {
  const found = parseTime(typed);
  if (found) return found;
  context.addIssue({ code: "custom", message: m.queue_expected_missing() });
  return z.NEVER;
});

/** A part of a name finds imported patients. */
const searchedName = { name: z.string().trim().max(MAX_LINE).optional() };
const ofSession = { sessionId: id };
const ofEntry = { ...ofSession, entryId: id };

/** What the forms of a queue's page send. */
export const QueueFormSchema = birthDateFirst(
  z.discriminatedUnion("intent", [
    z.object({
      intent: z.enum([
        "call",
        "call-now",
        "undo-call",
        "arrive",
        "enter",
        "finish",
        "skip",
        "return",
        "leave",
        "undo-miss",
        "undo-finish",
        "emergency",
        "normal",
      ]),
      ...ofEntry,
    }),
    z.object({ intent: z.enum(["open", "pause", "resume", "reopen"]), ...ofSession }),
    z.object({ intent: z.literal("expect"), ...ofSession, at: time }),
    z.object({ intent: z.literal("start"), practiceId: id }),
    z
      .object({ intent: z.literal("find"), ...ofSession, phone: phone.optional(), ...searchedName })
      .refine(({ phone: typed, name }) => typed || name, { path: ["phone"], error: () => m.queue_find_missing() }),
    z
      .object({
        intent: z.enum(["add", "add-emergency"]),
        ...ofSession,
        phone,
        /** A known patient of the phone: `knownValue`. */
        who: z.string().max(200).optional(),
        name: z.string().trim().max(MAX_LINE).optional(),
        age: ageField,
        dateOfBirth: birthDateField,
        formKey: z.string().min(8).max(100),
      })
      .superRefine(({ who, name }, context) => {
        if ((!who || who === ANOTHER || who === TWIN) && !name)
          context.addIssue({ code: "custom", path: ["name"], message: m.queue_name_missing() });
      }),
  ]),
);
