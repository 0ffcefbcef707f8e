import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

type Column = AnyPgColumn | SQL;
type Slot = { doctorId: Column; date: Column; time: Column };

// In two layers: of a selected expression drizzle drops the table of a column, and here it would mean the inner table's.
const claims = (slot: Slot) =>
  sql`from slot_claims c where c.doctor_id = ${slot.doctorId} and c.date = ${slot.date} and c.time = ${slot.time}`;

const tokens = (slot: Slot) =>
  sql`from appointments t where t.doctor_id = ${slot.doctorId} and t.date = ${slot.date} and t.time = ${slot.time} and t.queue_session_id is not null and t.status <> 'cancelled'`;

/** SQL: how many seats of a slot are taken, by visits, offers, holds or tokens. Reads only the key of `slot_claims`, or the index of tokens. */
export const takenSeats = (slot: Slot & { tokens: Column }) =>
  sql<number>`(case when ${slot.tokens} then ${sql`(select count(*) ${tokens(slot)})`} else ${sql`(select count(*) ${claims(slot)})`} end)`;
/** SQL: all seats of a slot are taken. */
export const fullSlot = (slot: Slot & { seats: Column; tokens: Column }) => sql<boolean>`${sql`${takenSeats(slot)} >= ${slot.seats}`}`;
/** SQL: the slot has an appointment that is not cancelled. Seats may be left. */
export const bookedSlot = (slot: Slot) =>
  sql<boolean>`${sql`(exists (select ${claims(slot)} and c.kind = 'visit') or exists (select ${tokens(slot)}))`}`;
