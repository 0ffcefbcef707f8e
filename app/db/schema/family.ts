import { sql } from "drizzle-orm";
import { check, date, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type BloodGroup, GENDERS, RELATIONS } from "#app/lib/vocabulary.ts";
import { createdAt, id, sealedText } from "./columns.ts";
import { patients } from "./people.ts";
import { ofPatients, shown } from "./policy.ts";

/** A family member whom a patient books for. A visit has its own copy of the patient's details. */
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
    /** The day on which the account said that they have no known allergy. */
    noAllergiesOn: sealedText<string>(),
    /** Either the birth date, or the age on the day it was entered, from which the current age is calculated. */
    dateOfBirth: date({ mode: "string" }),
    age: integer(),
    ageOn: date({ mode: "string" }),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    // Refuses duplicates of concurrent requests.
    uniqueIndex("family_members_person").on(t.patientId, sql`lower(${t.name})`, t.relation),
    check("family_members_age", sql`num_nonnulls(${t.dateOfBirth}, ${t.age}) = 1 and (${t.age} is null) = (${t.ageOn} is null)`),
    check("family_members_age_range", sql`${t.age} is null or ${t.age} between 0 and 120`),
  ],
);
ofPatients(familyMembers, {
  section: "family",
  owner: "patientId",
  removed: {
    ...shown("id patientId relation gender bloodGroup noAllergiesOn dateOfBirth age ageOn createdAt updatedAt"),
    name: { name: "name", clear: "unique in the list of a patient" },
  },
});
