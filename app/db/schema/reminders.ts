import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appointments } from "./appointments.ts";
import { at, createdAt } from "./columns.ts";
import { hidden, ofPatients } from "./policy.ts";

/** `choose-again`: an administrator asked the patient to choose another doctor. */
export const REMINDER_KINDS = ["day", "hours", "choose-again"] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];

/** Sent reminders of an appointment at this instant: a rescheduled one has another instant and therefore new reminders. */
export const reminders = pgTable(
  "reminders",
  {
    appointmentId: uuid()
      .notNull()
      .references(() => appointments.id, { onDelete: "cascade" }),
    kind: text({ enum: REMINDER_KINDS }).notNull(),
    startsAt: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "reminders_pk", columns: [t.appointmentId, t.kind, t.startsAt] })],
);
ofPatients(reminders, {
  section: null,
  owner: { by: "appointmentId", of: appointments },
  stays: hidden("appointmentId kind startsAt createdAt"),
  why: "times of an appointment that stays",
});
