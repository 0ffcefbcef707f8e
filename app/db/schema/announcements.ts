import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { LANGUAGES, type Language } from "../../lib/language.ts";
import { AUDIENCES } from "../../lib/vocabulary.ts";
import { users } from "./accounts.ts";
import { at, createdAt, id } from "./columns.ts";
import { hospitals } from "./people.ts";
import { hidden, ofNoPatient, ofPatients } from "./policy.ts";

export const ANNOUNCEMENT_STATES = ["draft", "sending", "sent", "withdrawn"] as const;
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number];
/** Plain text, never HTML. */
export type AnnouncementText = { title: string; message: string };

/** A message of the administrators to a role or to the people of a place. */
export const announcements = pgTable(
  "announcements",
  {
    id: id(),
    audience: text({ enum: AUDIENCES }).notNull(),
    hospitalId: uuid().references(() => hospitals.id),
    /** In the language of the author, and translations where there are some. */
    texts: jsonb().$type<Partial<Record<Language, AnnouncementText>>>().notNull(),
    /** The language that readers of another one get. */
    language: text({ enum: LANGUAGES }).notNull(),
    /** The banner is shown until then. */
    endsAt: at().notNull(),
    state: text({ enum: ANNOUNCEMENT_STATES }).notNull().default("draft"),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    sentAt: at(),
    /** Users who have received it. */
    delivered: integer().notNull().default(0),
    /** The last user whom the job has reached: users are visited in the order of their ids. */
    reached: uuid(),
    withdrawnAt: at(),
  },
  (t) => [
    index("announcements_live").on(t.endsAt).where(sql`${t.state} in ('sending', 'sent')`),
    check("announcements_place", sql`(${t.audience} in ('members', 'place-doctors')) = (${t.hospitalId} is not null)`),
    check("announcements_sent", sql`${t.state} not in ('sending', 'sent') or ${t.sentAt} is not null`),
  ],
);
ofNoPatient(announcements, {
  columns: {
    texts: { clear: "the administrator's word to many users" },
  },
});

/** Users who received an announcement: one row each, which makes the job safe to repeat. */
export const announcementRecipients = pgTable(
  "announcement_recipients",
  {
    announcementId: uuid()
      .notNull()
      .references(() => announcements.id, { onDelete: "cascade" }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The user closed the banner. */
    dismissedAt: at(),
  },
  (t) => [
    primaryKey({ name: "announcement_recipients_pk", columns: [t.announcementId, t.userId] }),
    index("announcement_recipients_user").on(t.userId).where(sql`${t.dismissedAt} is null`),
  ],
);
ofPatients(announcementRecipients, {
  section: null,
  owner: "userId",
  removed: hidden("announcementId userId dismissedAt"),
});
