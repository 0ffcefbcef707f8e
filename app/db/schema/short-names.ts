import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { SHORT_NAME_KINDS } from "#app/lib/vocabulary.ts";
import { createdAt } from "./columns.ts";
import { doctors, hospitals } from "./people.ts";
import { ofNoPatient } from "./policy.ts";

/**
 * Short names of public pages: /h/{slug} and /d/{slug}. A trigger makes one from name and town when a row is listed for the first time. It
 * stays when the name changes. An owner may choose another one; old ones redirect and are never given to others.
 */
export const shortNames = pgTable(
  "short_names",
  {
    kind: text({ enum: SHORT_NAME_KINDS }).notNull(),
    slug: text().notNull(),
    hospitalId: uuid().references(() => hospitals.id, { onDelete: "cascade" }),
    doctorId: uuid().references(() => doctors.id, { onDelete: "cascade" }),
    /** The one of the page's address. The others redirect to it. */
    isCurrent: boolean().notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "short_names_pk", columns: [t.kind, t.slug] }),
    uniqueIndex("short_names_current_hospital").on(t.hospitalId).where(sql`${t.isCurrent}`),
    uniqueIndex("short_names_current_doctor").on(t.doctorId).where(sql`${t.isCurrent}`),
    index("short_names_hospital").on(t.hospitalId),
    index("short_names_doctor").on(t.doctorId),
    check(
      "short_names_subject",
      sql`(${t.kind} = 'hospital') = (${t.hospitalId} is not null) and (${t.kind} = 'doctor') = (${t.doctorId} is not null)`,
    ),
    check("short_names_slug", sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(${t.slug}) <= 80`),
  ],
);
ofNoPatient(shortNames, {
  columns: {
    slug: { clear: "public" },
  },
});
