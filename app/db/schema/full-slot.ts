import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

type Column = AnyPgColumn | SQL;
type Slot = { doctorId: Column; date: Column; time: Column };

// In two layers: of a selected expression drizzle drops the table of a column, and here it would mean the inner table's.
const claims = (slot: Slot) =>
  sql`from slot_claims c where c.doctor_id = ${slot.doctorId} and c.date = ${slot.date} and c.time = ${slot.time}`;

/** SQL: all seats of a slot are taken, by visits, offers or holds. An index-only scan of the key of `slot_claims`. */
export const fullSlot = (slot: Slot & { seats: Column }) => sql<boolean>`${sql`(select count(*) ${claims(slot)}) >= ${slot.seats}`}`;
/** SQL: the slot has an appointment that is not cancelled. Seats may be left. */
export const bookedSlot = (slot: Slot) => sql<boolean>`${sql`exists (select ${claims(slot)} and c.kind = 'visit')`}`;
