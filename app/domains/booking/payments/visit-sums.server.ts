import { sql } from "drizzle-orm";
import { payments } from "#app/db/schema/index.ts";
import { IS_CONFIRMING } from "#app/domains/booking/payments/confirming.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import type { Paise } from "#app/lib/money.ts";
import type { ReceivedBy } from "#app/lib/vocabulary.ts";

/** SQL: the place of an appointment. */
export const PLACE_OF_VISIT = sql<string | null>`appointments.hospital_id`;
const sumOf = (column: "amount" | "refunded" | "corrected") =>
  sql<Paise>`coalesce((select sum(p.${sql.raw(column)}) from payments p where p.appointment_id = appointments.id), 0)::float8`;
/** SQL: the clinic's part of an appointment's refunds that the provider could not make: the patient does not have it. */
const notReturned = sql<Paise>`coalesce((select sum(r.amount) from payments p join refunds r on r.payment_id = p.id
  join provider_refunds pr on pr.refund_id = r.id where p.appointment_id = appointments.id and pr.state = 'failed'), 0)::float8`;
/** SQL: what decides the state of an appointment's payment, for lists of appointments. In paise; `refunded` contains `notReturned`. */
export const VISIT_SUMS = {
  received: sumOf("amount"),
  refunded: sumOf("refunded"),
  corrected: sumOf("corrected"),
  notReturned,
  confirming: IS_CONFIRMING,
};
/** SQL form of `RowPayment.due` of an appointment that is not cancelled. */
export const isDueNow = (
  today: DateKey,
) => sql<boolean>`((appointments.fee - appointments.discount - ${VISIT_SUMS.received} + ${VISIT_SUMS.corrected} > 0
  and not ${IS_CONFIRMING} and (appointments.date >= ${today}::date or appointments.date >= (
    select (min(s.received_at) at time zone 'Asia/Kolkata')::date from payments s where s.doctor_id = appointments.doctor_id))) is true)`;
/** SQL: true for an entry of the ledger that booked a refund which the provider could not make. */
export const IS_FAILED = sql<boolean>`(ledger_entries.refund_id is not null and exists (select from provider_refunds pr
  where pr.refund_id = ledger_entries.refund_id and pr.state = 'failed'))`;
/** SQL: the payments of an appointment by a method. */
export const METHODS_OF_VISIT = sql<
  ReceivedBy[]
>`array(select distinct p.method from payments p where p.appointment_id = appointments.id order by 1)`;
/** SQL: when the first payment of an appointment's doctor was recorded; null for none. */
export const RECORDED_SINCE =
  sql<Date | null>`(select min(s.received_at) from payments s where s.doctor_id = appointments.doctor_id)`.mapWith(payments.receivedAt);
