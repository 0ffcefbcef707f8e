import { href, Link } from "react-router";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { cancelledWord, placeOf } from "#app/domains/booking/appointments/own-words.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { formatDay } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import type { Route } from "./+types/booking-payment.ts";

type Props = Route.ComponentProps["loaderData"];

/** The appointment that was booked. Its heading is that of the page, unless the page waits for a payment. */
export function Booked({ appointment, token, waits, past, live }: Props) {
  const Heading = waits ? "h2" : "h1";
  return (
    <section aria-labelledby="booked">
      <Note tone={appointment.status === "cancelled" ? "bad" : past ? "info" : "ok"} className="mt-7 flex-wrap">
        <div className="space-y-1">
          <Heading id="booked" className="text-[min(var(--text-lg),8vw)]">
            {past ? m.payments_past() : TITLES[appointment.status]()}
          </Heading>
          <p>
            {appointment.doctorName}, {formatDay(appointment.date)}, {visitTimeWord(appointment)}
          </p>
          <p>
            <StatusBadge status={appointment.status} passed={past} />
          </p>
          <p>
            {m.payments_reference()} <b className="num">{appointment.paymentReference}</b>
          </p>
          {appointment.status === "cancelled" && <p>{cancelledWord(appointment)}</p>}
          {live && (
            <p id="next">
              {appointment.status === "accepted"
                ? m.payments_accepted_text({ doctor: appointment.doctorName })
                : m.payments_booked_text({ doctor: appointment.doctorName })}
            </p>
          )}
          {token && <AnyLink to={href("/q/:code", { code: token.code })}>{m.token_open({ number: token.number })}</AnyLink>}
        </div>
      </Note>
    </section>
  );
}

/** Titles of an appointment that has not passed. The one of a pending appointment: spec 001 §2.12. */
const TITLES = {
  pending: m.appointments_booked,
  accepted: m.payments_accepted,
  completed: m.payments_completed,
  cancelled: m.payments_cancelled,
};

/** Doctor, time, place, patient and fee of the appointment that was booked. */
export const BookedFacts = ({ appointment, live, toPay }: Props) => (
  <section className="card mt-7" aria-label={m.appointments_own_details()}>
    <Facts
      items={[
        [m.appointments_doctor(), appointment.doctorName],
        [m.appointments_when(), `${formatDay(appointment.date)}, ${visitTimeWord(appointment)}`],
        [
          m.appointments_where(),
          appointment.hospitalId && (
            <span key="w">
              <Link to={href("/hospital/:id", { id: appointment.hospitalId })}>{appointment.hospitalName}</Link>
              <br />
              {placeOf(appointment)}
            </span>
          ),
        ],
        [
          m.doctors_clinic_phone(),
          appointment.hospitalPhone && (
            <a key="c" className="num" href={`tel:${appointment.hospitalPhone}`}>
              {formatPhone(appointment.hospitalPhone)}
            </a>
          ),
        ],
        [m.appointments_patient(), appointment.patientName],
        [m.payments_fee(), appointment.fee === null ? m.doctors_fee_unknown() : formatRupees(appointment.fee)],
        appointment.discount > 0 && [
          m.payments_discount({ code: appointment.discountCode ?? "" }),
          m.payments_minus({ amount: formatRupees(appointment.discount) }),
        ],
        live && toPay !== appointment.fee && appointment.fee !== null && [m.payments_to_pay(), <b key="p">{formatRupees(toPay)}</b>],
      ]}
    />
  </section>
);
