import { useEffect, useRef } from "react";
import { href, Link } from "react-router";
import { z } from "zod";
import { isOpen } from "#app/domains/appointment.state.ts";
import { bookingSteps } from "#app/domains/booking/appointments/components/doctor-line.tsx";
import { NearestTimes } from "#app/domains/booking/appointments/components/nearest-times.tsx";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { cancelledWord, placeOf } from "#app/domains/booking/appointments/own-words.ts";
import { getPatientAppointment } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { changeRuleWord } from "#app/domains/booking/appointments/words.ts";
import { listNearestFree } from "#app/domains/booking/availability/queries.server.ts";
import { refundTerms } from "#app/domains/booking/cancellation/refund-terms.server.ts";
import { choosePayment } from "#app/domains/booking/payments/choose-payment.server.ts";
import { paymentNote } from "#app/domains/booking/payments/payment-note.server.ts";
import { paymentLink, upiLink } from "#app/domains/booking/payments/payment-options.ts";
import { dueOf, paymentStatusOf, prepayOf } from "#app/domains/booking/payments/payment-status.ts";
import { qrCode } from "#app/domains/booking/payments/qr-code.server.ts";
import { askOwnPayment } from "#app/domains/money/online/ask-own-payment.server.ts";
import { PayOnline, PayPress } from "#app/domains/money/online/components/pay-online.tsx";
import { moneyBack } from "#app/domains/money/online/money-back.server.ts";
import { getPayView } from "#app/domains/money/online/pay-view.server.ts";
import { payWords } from "#app/domains/money/online/pay-words.ts";
import { startOrder } from "#app/domains/money/online/start-order.server.ts";
import { platformFeeOf } from "#app/domains/money/payments/payment-line.ts";
import { listOwnVisitPayments } from "#app/domains/money/payments/queries.server.ts";
import { paymentLineWord } from "#app/domains/money/payments/words.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { hasStarted, minuteInIndia } from "#app/domains/visit-time.ts";
import { findOwnToken } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDay, formatTime, timeInIndia } from "#app/lib/dates.ts";
import { formatRupees, paise, plus } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { PAYMENT_METHODS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/booking-payment.ts";
import { PaymentTerms } from "./payment-terms.tsx";
import { PaymentWaiting, UpiCode } from "./payment-waiting.tsx";

/** Seconds after which a page that waits for the result of a payment loads again, with and without scripts. */
const CHECK_SECONDS = 10;

export const handle = {
  bar: false,
  refresh: (loaderData) => ((loaderData as Loaded).isOpenEnded ? String(CHECK_SECONDS) : null),
} satisfies PageHandle;

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const appointment = await getPatientAppointment(ctx, params.id);
  const { payment } = env();
  const lines = await listOwnVisitPayments(ctx, appointment.id);
  const paid = appointment.received - appointment.refunded;
  const toPay = dueOf(appointment) ?? paise(0);
  const isConfirming = paymentStatusOf(appointment, null) === "confirming";
  const open = isOpen(appointment);
  // No payment is requested for a delisted doctor.
  const started = open && hasStarted(ctx.now, appointment);
  const past = started && !appointment.inQueue;
  const live = open && !started && !appointment.doctorDelisted;
  const due =
    live && toPay
      ? {
          reference: appointment.paymentReference,
          fee: toPay,
          note: paymentNote(appointment.registeredDoctorName, appointment.date),
        }
      : null;
  // null without a provider: the external page or UPI then.
  const view = due && (await getPayView(ctx, appointment.id, toPay, new URL(request.url).origin));
  const hasTax = (ctx.integrations.payments?.platformFee?.tax.length ?? 0) > 0;
  const link = due && !view && paymentLink(payment, due);
  const upi = due && !view && !link ? upiLink(payment, due) : null;
  const prepay = view && prepayOf(appointment, ctx.now);
  const back = await moneyBack(ctx, appointment, lines);
  const confirmingLate = appointment.status === "cancelled" && !back.late && isConfirming;
  // A cancelled appointment offers another time, while its doctor can be booked.
  const nearest =
    appointment.status === "cancelled" && !appointment.doctorDelisted
      ? await listNearestFree(ctx, appointment.doctorId, hasStarted(ctx.now, appointment) ? minuteInIndia(ctx.now) : appointment)
      : null;
  const token = live ? await findOwnToken(ctx, appointment.id) : null;
  const method = appointment.paymentMethod;
  // A payment was begun: its result comes from the provider, and from the clinic where it was made outside Nadi.
  const isBegun = (link || upi) && method !== null && method !== "clinic";
  const waits = live && isConfirming ? "bank" : isBegun ? (link ? "link" : "upi") : null;
  return {
    appointment,
    nearest,
    token,
    toPay,
    terms:
      live && toPay
        ? refundTerms(appointment, view ? withPlatformFee({ amount: toPay, platformFee: view.platformFee }) : toPay, ctx.now)
        : null,
    paid:
      paid > 0 && toPay === 0
        ? {
            amount: m.money_paid_amount({ amount: formatRupees(plus(paise(paid), platformFeeOf(lines))) }),
            receipts: lines
              .filter((one) => one.refunded < one.amount)
              .map((one) => ({ id: one.id, text: paymentLineWord(one), receipt: m.money_receipt_of({ number: one.receipt }) })),
          }
        : null,
    // Instead of "nothing to pay", which would hide money that was taken.
    back: { ...back, late: confirmingLate ? m.online_confirming_late() : back.late },
    link: link || null,
    view: prepay?.over ? null : view,
    hasTax,
    /** Until when the patient may pay; `over`: that has passed. */
    prepay: prepay && { ...prepay, until: timeInIndia(prepay.until) },
    waits,
    isOpenEnded: waits !== null || confirmingLate,
    /** When the provider last answered, or when the page read what the clinic recorded. */
    checked: waits === "bank" ? view?.checkedAt && timeInIndia(view.checkedAt) : timeInIndia(ctx.now),
    upi: upi ? { href: upi, qr: qrCode(upi), payee: payment.upiName, vpa: payment.upiVpa, demo: payment.demoPayee } : null,
    open,
    past,
    live,
  };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, z.object({ method: z.enum([...PAYMENT_METHODS, "online", "check"]) }), async ({ method }) => {
    const ctx = actorCtxOf(context);
    if (method === "check") {
      await askOwnPayment(ctx, params.id);
      const visit = await getPatientAppointment(ctx, params.id);
      const view = await getPayView(ctx, params.id, paise(0), new URL(request.url).origin);
      const page = href("/patient/appointments/payment/:id", { id: params.id });
      // What is known now is on the page.
      if (!dueOf(visit) || view?.state === "failed") return redirectTo(page);
      return redirectWithToast(page, m.payments_wait_none({ time: formatTime(timeInIndia(ctx.now)) }), { type: "info" });
    }
    if (method === "online") await startOrder(ctx, params.id);
    else await choosePayment(ctx, { id: params.id, method });
    // The choice is shown with the reference: at the clinic on the appointment, otherwise on this page with the ways to pay.
    return redirectTo(
      method === "clinic"
        ? href("/patient/appointments/:id", { id: params.id })
        : href("/patient/appointments/payment/:id", { id: params.id }),
    );
  });
}

type Loaded = Route.ComponentProps["loaderData"];

export default function BookingPayment({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment, nearest, toPay, terms, paid, back, link, view, hasTax, prepay, waits, upi, open, past, live } = loaderData;
  const pay = view && payWords(view, toPay, hasTax);
  const method = appointment.paymentMethod;
  const covered = paid !== null || (Boolean(appointment.fee) && toPay === 0);
  const [form] = useNadiForm({ id: "pay", lastResult: actionData?.result });
  const way = link ? "link" : upi && "upi";
  const isPressed = useRef(false);
  // One press stores the choice and, with scripts, opens the UPI app. It leaves for another page once the choice is stored.
  const leave = () => {
    if (upi) location.href = upi.href;
    isPressed.current = true;
  };
  useEffect(() => {
    if (isPressed.current && waits === "link" && link) location.href = link;
  }, [waits, link]);
  const atClinic = live && method !== "clinic" && !prepay;
  const isToPay = live && !covered && !waits;
  const hasChoice = [pay, way, atClinic].filter(Boolean).length > 1;
  useReloadAt(waits ? CHECK_SECONDS : 0, loaderData);
  return (
    <Page title={m.payments_title()} titleAs="p" back={{ to: href("/patient/calendar"), label: m.appointments_to_calendar() }}>
      {live && <Steps label={m.appointments_steps()} steps={bookingSteps()} current={2} />}
      {waits && <PaymentWaiting {...loaderData} form={form} />}
      <Booked {...loaderData} />
      {live && covered && (
        <section className="mt-7" aria-labelledby="paid">
          <Note tone="ok">
            <div className="space-y-1">
              <h2 id="paid">
                {paid ? paid.amount : appointment.discount === appointment.fee ? m.payments_covered() : m.online_nothing_due()}
              </h2>
              {paid?.receipts.map((one) => (
                <p key={one.id}>
                  {one.text} <Link to={href("/patient/payments/:id", { id: one.id })}>{one.receipt}</Link>
                </p>
              ))}
              {paid && <p>{m.money_paid_note()}</p>}
            </div>
          </Note>
        </section>
      )}
      {!live && (
        <Note tone="warn" className="mt-7">
          {open && appointment.doctorDelisted && !past ? m.appointments_doctor_away() : back.late || m.payments_not_live()}
        </Note>
      )}
      {(back.refunds.length > 0 || back.note) && (
        <section className="mt-7 space-y-1" aria-label={m.money_refunded()}>
          {back.refunds.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {back.note && <Note tone="warn">{back.note}</Note>}
        </section>
      )}
      {nearest && (
        <div className="mt-7">
          <NearestTimes
            nearest={nearest}
            address={(slot) =>
              `${href("/patient/appointments/patient-detail")}?${new URLSearchParams({ doctorId: appointment.doctorId, ...slot })}`
            }
            elsewhere={`${href("/patient/appointments/datetime")}?doctorId=${appointment.doctorId}`}
          />
        </div>
      )}
      {appointment.status === "cancelled" && !nearest && (
        <LinkButton
          to={`${href("/doctorspages/Cards-data")}?${new URLSearchParams({ category: appointment.category })}`}
          full
          className="mt-7"
        >
          {m.appointments_other_doctor()}
        </LinkButton>
      )}
      {isToPay && (
        <>
          <section className="mt-7" aria-labelledby="how">
            <h2 id="how">{hasChoice ? m.payments_how() : m.payments_method()}</h2>
            {!appointment.fee && <Note className="mt-2">{m.payments_no_fee()}</Note>}
            {upi?.demo && (
              <Note tone="warn" className="mt-2">
                {m.payments_demo_payee()}
              </Note>
            )}
            {prepay && (
              <Note tone="warn" className="mt-2">
                {prepay.over ? m.prepay_over() : m.prepay_until({ time: formatTime(prepay.until) })}
              </Note>
            )}
            {pay && <PayOnline {...pay} />}
            <Form form={form} className="mt-2 space-y-2">
              {method === "clinic" && <Note tone="ok">{m.payments_clinic_chosen({ reference: appointment.paymentReference })}</Note>}
              {upi && <p className="text-sm text-ink-soft">{m.payments_upi_hint()}</p>}
              {atClinic && (
                <p className="text-sm text-ink-soft">{`${m.payments_clinic()}: ${pay?.fee?.clinic ?? m.payments_clinic_hint()}`}</p>
              )}
            </Form>
          </section>
          {(pay || way || atClinic) && (
            <div className="sticky top-14 bottom-0 z-4 -mx-gutter grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3 bg-page px-gutter py-3 max-narrow:static short:top-0 *:w-full">
              {pay && <PayPress {...pay} form={form.id} failed={actionData?.result} />}
              {way && (
                <SubmitButton form={form.id} name="method" value={way} size="lg" onClick={leave}>
                  {way === "link" ? m.payments_go({ fee: formatRupees(toPay) }) : m.payments_upi_open({ fee: formatRupees(toPay) })}
                </SubmitButton>
              )}
              {atClinic && (
                <SubmitButton form={form.id} name="method" value="clinic" variant="second" size="lg">
                  {m.payments_clinic()}
                </SubmitButton>
              )}
            </div>
          )}
          {pay?.checkout && (
            <SubmitButton form={form.id} name="method" value="check" variant="quiet" className="pl-0">
              {m.payments_wait_paid()}
            </SubmitButton>
          )}
          {terms && <PaymentTerms terms={terms} rule={changeRuleWord(appointment)} fee={pay?.fee?.terms} refunds={pay?.refunds} />}
          {upi && <UpiCode upi={upi} />}
          {way && <p className="text-sm text-ink-soft mt-2">{m.payments_not_proof()}</p>}
        </>
      )}
      {live && !(isToPay && terms) && <p className="mt-4 text-sm text-ink-soft">{changeRuleWord(appointment)}</p>}
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
      {live && covered ? (
        <Dock>
          <LinkButton to={href("/patient/appointments/:id", { id: appointment.id })} size="lg" full>
            {m.payments_see()}
          </LinkButton>
        </Dock>
      ) : (
        <LinkButton to={href("/patient/appointments/:id", { id: appointment.id })} variant="quiet" full className="mt-7">
          {m.payments_see()}
        </LinkButton>
      )}
      {live && (
        <LinkButton to={href("/patient/appointments/:id/calendar.ics", { id: appointment.id })} variant="quiet" full icon="calendar-plus">
          {m.appointments_add_ics()}
        </LinkButton>
      )}
    </Page>
  );
}

/** The appointment that was booked. Its heading is that of the page, unless the page waits for a payment. */
function Booked({ appointment, token, waits, past, live }: Loaded) {
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

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.payments_title() }) }];
