import { sql } from "drizzle-orm";

/**
 * SQL: true while the bank is confirming a payment of the appointment, until its order ends: no page offers to pay again. A patient who comes back from
 * the provider without a payment may try again at once.
 */
export const IS_CONFIRMING = sql<boolean>`exists (select from payment_orders o where o.appointment_id = appointments.id and o.state = 'created'
  and o.confirming_at is not null and (o.attempt_failed_at is null or o.attempt_failed_at < o.confirming_at))`;
