import { sql } from "drizzle-orm";

/**
 * SQL: true for an order with a payment at the bank: the patient came back from the provider, or the bank reserved the money, and the provider has not
 * answered what became of it. Also of an order that has expired, because it may still be paid. `order`: the name of the table in the statement.
 */
export const isAtBank = (order: "o" | "payment_orders") => {
  const o = sql.raw(order);
  return sql<boolean>`(${o}.state in ('created', 'expired') and ${o}.confirming_at is not null
    and (${o}.attempt_failed_at is null or ${o}.attempt_failed_at < ${o}.confirming_at))`;
};

/** SQL: true while the bank is confirming a payment of the appointment: no page offers to pay again. Until the provider answers that nothing came. */
export const IS_CONFIRMING = sql<boolean>`exists (select from payment_orders o where o.appointment_id = appointments.id and ${isAtBank("o")})`;
