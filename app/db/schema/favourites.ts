import { sql } from "drizzle-orm";
import { check, index, pgTable, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns.ts";
import { doctors, hospitals, patients } from "./people.ts";
import { hidden, ofPatients, shown } from "./policy.ts";

/** A favourite doctor or hospital of a patient. */
export const favourites = pgTable(
  "favourites",
  {
    id: id(),
    patientId: uuid()
      .notNull()
      .references(() => patients.id, { onDelete: "cascade" }),
    doctorId: uuid().references(() => doctors.id, { onDelete: "cascade" }),
    hospitalId: uuid().references(() => hospitals.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("favourites_doctor").on(t.patientId, t.doctorId).where(sql`${t.doctorId} is not null`),
    uniqueIndex("favourites_hospital").on(t.patientId, t.hospitalId).where(sql`${t.hospitalId} is not null`),
    index("favourites_doctor_of").on(t.doctorId),
    index("favourites_hospital_of").on(t.hospitalId),
    check("favourites_one", sql`num_nonnulls(${t.doctorId}, ${t.hospitalId}) = 1`),
  ],
);
ofPatients(favourites, {
  section: "favourites",
  owner: "patientId",
  removed: {
    ...shown("id"),
    ...hidden("patientId doctorId hospitalId"),
    createdAt: "since",
  },
});
