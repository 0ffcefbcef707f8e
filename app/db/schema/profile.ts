import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, createdAt, id } from "./columns.ts";
import { doctors } from "./people.ts";
import { hidden, ofNoPatient, ofPatients } from "./policy.ts";

/** Verified fields of a doctor: an administrator approves a change before it is shown. */
export const REVIEWED_FIELDS = ["name", "council", "hospital", "bank"] as const;
export type ReviewedField = (typeof REVIEWED_FIELDS)[number];

/** `withdrawn`: by the doctor, also by another change of the field. Transitions: profile-changes/profile-change.state.ts. */
export const CHANGE_STATUSES = ["pending", "approved", "refused", "withdrawn"] as const;
export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** The parts of a field for display: an account number only by its last four digits. */
export type ChangeParts = Record<string, string>;

/** A change requested by a doctor. Until the approval the old value stays, and the doctor stays bookable. */
export const profileChanges = pgTable(
  "profile_changes",
  {
    id: id(),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    field: text({ enum: REVIEWED_FIELDS }).notNull(),
    before: jsonb().$type<ChangeParts>().notNull(),
    after: jsonb().$type<ChangeParts>().notNull(),
    /** The new account number, encrypted for this row; cleared when the change is decided or withdrawn. */
    accountSealed: text(),
    status: text({ enum: CHANGE_STATUSES }).notNull().default("pending"),
    decidedBy: uuid().references(() => users.id),
    decidedAt: at(),
    /** Shown to the doctor. */
    reason: text(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("profile_changes_open").on(t.doctorId, t.field).where(sql`${t.status} = 'pending'`),
    index("profile_changes_doctor").on(t.doctorId, t.createdAt),
    index("profile_changes_queue").on(t.status, t.createdAt),
  ],
);
ofNoPatient(profileChanges, {
  columns: {
    after: { clear: "public profile and bank details without the number" },
    reason: { clear: "the administrator's word to the doctor" },
  },
});

/** Settings that a user changed. Others have the default of platform/settings/settings.ts. */
export const userSettings = pgTable("user_settings", {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  chosen: jsonb().$type<Record<string, Record<string, unknown>>>().notNull().default({}),
  updatedAt: createdAt(),
});
ofPatients(userSettings, {
  section: "settings",
  owner: "userId",
  removed: {
    ...hidden("userId updatedAt"),
    chosen: "settings",
  },
});
