import { href, Link } from "react-router";
import { CallHospital } from "#app/domains/booking/appointments/components/call-hospital.tsx";
import { changeRuleWord } from "#app/domains/booking/appointments/words.ts";
import { chosenWayWord } from "#app/domains/booking/payments/words.ts";
import { directionsTo } from "#app/domains/directory/hospitals/places.ts";
import { paymentLineWord } from "#app/domains/money/payments/words.ts";
import { formatTime } from "#app/lib/dates.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import type { Route } from "./+types/appointment.ts";
import { joinAddress } from "./appointment-links.ts";

type Props = Route.ComponentProps["loaderData"];

/** Returns the address of the map with the way to the clinic. */
export const wayTo = ({ hospitalName, address, city, latitude, longitude }: Props["appointment"]) =>
  directionsTo({ name: hospitalName ?? "", address: address ?? "", city: city ?? "", latitude, longitude });

/** What an appointment costs, what was paid and refunded, and the next step to pay it. */
export function Payment({ appointment: a, money, prepay, live, payable }: Props) {
  const toPay = (a.fee ?? 0) - a.discount;
  const due = money.confirming ? null : money.due;
  const unpaid = live && due !== null && due > 0;
  return (
    <>
      <Facts
        items={[
          [m.payments_fee(), a.fee === null ? m.doctors_fee_unknown() : formatRupees(a.fee)],
          a.discount > 0 && [m.payments_discount({ code: a.discountCode ?? "" }), m.payments_minus({ amount: formatRupees(a.discount) })],
          a.discount > 0 && [m.payments_to_pay(), <b key="p">{formatRupees(toPay)}</b>],
          [
            m.payments_reference(),
            <span key="r" className="num">
              {a.paymentReference}
            </span>,
          ],
          unpaid && due !== toPay && [m.money_due(), <b key="d">{formatRupees(due)}</b>],
          unpaid && a.paymentMethod !== "clinic" && [m.payments_chosen_way(), chosenWayWord(a.paymentMethod)],
        ]}
      />
      {money.lines.map((one) => (
        <p key={one.id} className="text-sm">
          {paymentLineWord(one)}{" "}
          <Link to={href("/patient/payments/:id", { id: one.id })}>{m.money_receipt_of({ number: one.receipt })}</Link>
        </p>
      ))}
      {money.back.late && <Note tone="warn">{money.back.late}</Note>}
      {money.back.refunds.map((text) => (
        <p key={text} className="text-sm">
          {text}
        </p>
      ))}
      {money.back.note && <Note tone="warn">{money.back.note}</Note>}
      {money.confirming && <Note tone="warn">{a.status === "cancelled" ? m.online_confirming_late() : m.online_confirming()}</Note>}
      {live && money.isPaid && <Note tone="ok">{m.money_paid_note()}</Note>}
      {prepay && <Note tone="warn">{prepayWord(prepay)}</Note>}
      {unpaid && a.paymentMethod === "clinic" && <p>{m.payments_clinic_chosen({ reference: a.paymentReference })}</p>}
      {live && a.discount > 0 && toPay === 0 && <Note tone="ok">{m.payments_covered()}</Note>}
      {unpaid && payable && !a.doctorDelisted && <NextStep appointment={a} due={due} />}
    </>
  );
}

const prepayWord = ({ until, over }: { until: string; over: boolean }) =>
  over ? m.prepay_over() : m.prepay_until({ time: formatTime(until) });

/** The primary action of an appointment that is not paid: choose how, or pay. A chosen way has a link to change it. */
function NextStep({ appointment: a, due }: Pick<Props, "appointment"> & { due: Paise }) {
  const payment = href("/patient/appointments/payment/:id", { id: a.id });
  const amount = formatRupees(due);
  if (!a.paymentMethod)
    return (
      <LinkButton to={payment} size="lg" full>
        {m.payments_change()}
      </LinkButton>
    );
  return (
    <>
      {a.paymentMethod !== "clinic" && (
        <LinkButton to={payment} size="lg" full>
          {a.paymentMethod === "upi" ? m.payments_upi_open({ fee: amount }) : m.payments_go({ fee: amount })}
        </LinkButton>
      )}
      <p>
        <LinkButton to={payment} variant="quiet" size="sm" className="pl-0">
          {m.payments_change_chosen()}
        </LinkButton>
      </p>
    </>
  );
}

/** Reschedule and cancel while they are allowed; otherwise why not, and whom to call. */
export function Changes({ appointment: a }: Pick<Props, "appointment">) {
  const { id } = a;
  return (
    <>
      {a.cancellable && a.doctorDelisted ? null : <p className="text-sm text-ink-soft">{changeRuleWord(a)}</p>}
      {(a.movable || a.cancellable) && (
        <p className="grid grid-cols-[repeat(auto-fit,minmax(7em,1fr))] gap-3">
          {a.movable && (
            <LinkButton to={href("/patient/appointments/:id/reschedule", { id })} variant="second">
              {m.appointments_reschedule()}
            </LinkButton>
          )}
          {a.cancellable && (
            <LinkButton to={href("/patient/appointments/:id/cancel", { id })} variant="danger">
              {m.appointments_cancel()}
            </LinkButton>
          )}
        </p>
      )}
      {!a.doctorDelisted && a.token === null && (
        <p>
          <LinkButton to={joinAddress(a)} variant="quiet" size="sm" className="pl-0">
            {m.waitlist_tell_earlier()}
          </LinkButton>
        </p>
      )}
      {!a.movable && <CallHospital appointment={a} />}
    </>
  );
}
