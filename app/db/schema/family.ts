import { sql } from "drizzle-orm";
import { check, date, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type BloodGroup, GENDERS, RELATIONS } from "#app/lib/vocabulary.ts";
import { createdAt, id, sealedText } from "./columns.ts";
import { patients } from "./people.ts";

/** Somebody a patient books for: one phone often serves a family. A visit keeps its own copy of who was seen. */
export const familyMembers = pgTable(
  "family_members",
  {
    id: id(),
    patientId: uuid()
      .notNull()
      .references(() => patients.id, { onDelete: "cascade" }),
    name: text().notNull(),
    relation: text({ enum: RELATIONS }).notNull(),
    gender: text({ enum: GENDERS }).notNull(),
    bloodGroup: sealedText<BloodGroup>(),
    /** Either the birth date, or how old they were on the day that was written down: an age alone would go stale. */
    dateOfBirth: date({ mode: "string" }),
    age: integer(),
    ageOn: date({ mode: "string" }),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    // The same person added twice at once is one person.
    uniqueIndex("family_members_person").on(t.patientId, sql`lower(${t.name})`, t.relation),
    check("family_members_age", sql`num_nonnulls(${t.dateOfBirth}, ${t.age}) = 1 and (${t.age} is null) = (${t.ageOn} is null)`),
    check("family_members_age_range", sql`${t.age} is null or ${t.age} between 0 and 120`),
  ],
);
