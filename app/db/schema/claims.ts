import { sql } from "drizzle-orm";
import { check, date, pgTable, primaryKey, smallint, text, time, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appointments } from "./appointments.ts";
import { createdAt } from "./columns.ts";
import { doctors } from "./people.ts";
import { hidden, ofPatients } from "./policy.ts";
import { waitlistOffers } from "./waitlist.ts";

export const CLAIM_KINDS = ["visit", "offer", "hold"] as const;

/**
 * What takes a seat of a time, while it is live: an appointment, an offer of the waitlist, or a hold of a payment. The primary key is the
 * only check against double booking. A trigger of `appointments` writes the rows of visits, the waitlist those of offers.
 */
export const slotClaims = pgTable(
  "slot_claims",
  {
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    date: date({ mode: "string" }).notNull(),
    time: time().notNull(),
    seat: smallint().notNull(),
    kind: text({ enum: CLAIM_KINDS }).notNull(),
    appointmentId: uuid().references(() => appointments.id, { onDelete: "cascade" }),
    offerId: uuid().references(() => waitlistOffers.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "slot_claims_one_per_seat", columns: [t.doctorId, t.date, t.time, t.seat] }),
    uniqueIndex("slot_claims_appointment").on(t.appointmentId),
    uniqueIndex("slot_claims_offer").on(t.offerId),
    check("slot_claims_seat", sql`${t.seat} between 1 and 10`),
    check("slot_claims_visit", sql`(${t.kind} = 'visit') = (${t.appointmentId} is not null)`),
    check("slot_claims_of_offer", sql`(${t.kind} = 'offer') = (${t.offerId} is not null)`),
  ],
);
ofPatients(slotClaims, {
  section: null,
  owner: { by: "appointmentId", of: appointments },
  stays: hidden("doctorId date time seat kind appointmentId offerId createdAt"),
  why: "times of an appointment that stays",
});
