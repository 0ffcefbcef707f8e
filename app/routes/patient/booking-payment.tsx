import { useEffect, useRef } from "react";
import { href, Link } from "react-router";
import { z } from "zod";
import { isOpen } from "#app/domains/appointment.state.ts";
import { bookingSteps } from "#app/domains/booking/appointments/components/doctor-line.tsx";
import { NearestTimes } from "#app/domains/booking/appointments/components/nearest-times.tsx";
import { getPatientAppointment } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { changeRuleWord } from "#app/domains/booking/appointments/words.ts";
import { listNearestFree } from "#app/domains/booking/availability/queries.server.ts";
import { refundTerms } from "#app/domains/booking/cancellation/refund-terms.server.ts";
import { choosePayment } from "#app/domains/booking/payments/choose-payment.server.ts";
import { paymentNote } from "#app/domains/booking/payments/payment-note.server.ts";
import { paymentLink, upiLink } from "#app/domains/booking/payments/payment-options.ts";
import { dueOf, paymentStatusOf, prepayOf } from "#app/domains/booking/payments/payment-status.ts";
import { qrCode } from "#app/domains/booking/payments/qr-code.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { askOwnPayment } from "#app/domains/money/online/ask-own-payment.server.ts";
import { moneyBack } from "#app/domains/money/online/money-back.server.ts";
import { getPayView } from "#app/domains/money/online/pay-view.server.ts";
import { startOrder } from "#app/domains/money/online/start-order.server.ts";
import { platformFeeOf } from "#app/domains/money/payments/payment-line.ts";
import { listOwnVisitPayments } from "#app/domains/money/payments/queries.server.ts";
import { paymentLineWord } from "#app/domains/money/payments/words.ts";
import { hasStarted, minuteInIndia } from "#app/domains/visit-time.ts";
import { findOwnToken } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatTime, timeInIndia } from "#app/lib/dates.ts";
import { formatRupees, type Paise, paise, plus } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { PAYMENT_METHODS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { useNadiForm } from "#app/ui/form.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/booking-payment.ts";
import { Booked, BookedFacts } from "./booked-appointment.tsx";
import { PaymentWaiting } from "./payment-waiting.tsx";
import { WaysToPay } from "./ways-to-pay.tsx";

/** Seconds after which a page that waits for the result of a payment loads again, with and without scripts. */
const CHECK_SECONDS = 10;

export const handle = {
  bar: false,
  refresh: (loaderData) => ((loaderData as Loaded).isOpenEnded ? String(CHECK_SECONDS) : null),
} satisfies PageHandle;

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
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
  const due = live && toPay ? requestOf(appointment, toPay) : null;
  // null without a provider: the external page or UPI then.
  const view = due && (await getPayView(ctx, appointment.id, toPay, new URL(request.url).origin));
  const hasTax = (ctx.integrations.payments?.platformFee?.tax.length ?? 0) > 0;
  const link = due && !view && paymentLink(payment, due);
  const upi = due && !view && !link ? upiLink(payment, due) : null;
  const prepay = view && prepayOf(appointment, ctx.now);
  const back = await moneyBack(ctx, appointment, lines);
  const confirmingLate = appointment.status === "cancelled" && !back.late && isConfirming;
  const nearest = await otherTimesOf(ctx, appointment);
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
    paid: paid > 0 && toPay === 0 ? paidWords(paid, lines) : null,
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

type Appointment = Awaited<ReturnType<typeof getPatientAppointment>>;
const requestOf = ({ paymentReference, registeredDoctorName, date }: Appointment, fee: Paise) => ({
  reference: paymentReference,
  fee,
  note: paymentNote(registeredDoctorName, date),
});

function paidWords(paid: number, lines: Awaited<ReturnType<typeof listOwnVisitPayments>>) {
  return {
    amount: m.money_paid_amount({ amount: formatRupees(plus(paise(paid), platformFeeOf(lines))) }),
    receipts: lines
      .filter((one) => one.refunded < one.amount)
      .map((one) => ({ id: one.id, text: paymentLineWord(one), receipt: m.money_receipt_of({ number: one.receipt }) })),
  };
}

/** Returns other times for a cancelled appointment, while its doctor can be booked. */
async function otherTimesOf(ctx: Ctx, appointment: Appointment) {
  if (appointment.status !== "cancelled" || appointment.doctorDelisted) return null;
  return listNearestFree(ctx, appointment.doctorId, hasStarted(ctx.now, appointment) ? minuteInIndia(ctx.now) : appointment);
}

export const action = submitOwn(
  z.object({ method: z.enum([...PAYMENT_METHODS, "online", "check"]) }),
  async (ctx, { method }, { params, request }: Route.ActionArgs) => {
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
  },
);

type Loaded = Route.ComponentProps["loaderData"];

export default function BookingPayment({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment, nearest, toPay, terms, paid, back, link, waits, upi, open, past, live } = loaderData;
  const covered = paid !== null || (Boolean(appointment.fee) && toPay === 0);
  const [form] = useNadiForm({ id: "pay", lastResult: actionData?.result });
  const isPressed = useRef(false);
  // One press stores the choice and, with scripts, opens the UPI app. It leaves for another page once the choice is stored.
  const leave = () => {
    if (upi) location.href = upi.href;
    isPressed.current = true;
  };
  useEffect(() => {
    if (isPressed.current && waits === "link" && link) location.href = link;
  }, [waits, link]);
  const isToPay = live && !covered && !waits;
  useReloadAt(waits ? CHECK_SECONDS : 0, loaderData);
  return (
    <Page title={m.payments_title()} titleAs="p" back={{ to: href("/patient/calendar"), label: m.appointments_to_calendar() }}>
      {live && <Steps label={m.appointments_steps()} steps={bookingSteps()} current={2} />}
      {waits && <PaymentWaiting {...loaderData} form={form} />}
      <Booked {...loaderData} />
      {live && covered && <Covered appointment={appointment} paid={paid} />}
      {!live && (
        <Note tone="warn" className="mt-7">
          {open && appointment.doctorDelisted && !past ? m.appointments_doctor_away() : back.late || m.payments_not_live()}
        </Note>
      )}
      {(back.refunds.length > 0 || back.note) && <MoneyBack back={back} />}
      <OtherTimes appointment={appointment} nearest={nearest} />
      {isToPay && <WaysToPay {...loaderData} form={form} failed={actionData?.result} onLeave={leave} />}
      {live && !(isToPay && terms) && <p className="mt-4 text-sm text-ink-soft">{changeRuleWord(appointment)}</p>}
      <BookedFacts {...loaderData} />
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

/** What was paid, or that nothing is due. */
const Covered = ({ appointment, paid }: Pick<Loaded, "appointment" | "paid">) => (
  <section className="mt-7" aria-labelledby="paid">
    <Note tone="ok">
      <div className="space-y-1">
        <h2 id="paid">{paid ? paid.amount : appointment.discount === appointment.fee ? m.payments_covered() : m.online_nothing_due()}</h2>
        {paid?.receipts.map((one) => (
          <p key={one.id}>
            {one.text} <Link to={href("/patient/payments/:id", { id: one.id })}>{one.receipt}</Link>
          </p>
        ))}
        {paid && <p>{m.money_paid_note()}</p>}
      </div>
    </Note>
  </section>
);

const MoneyBack = ({ back }: Pick<Loaded, "back">) => (
  <section className="mt-7 space-y-1" aria-label={m.money_refunded()}>
    {back.refunds.map((text) => (
      <p key={text}>{text}</p>
    ))}
    {back.note && <Note tone="warn">{back.note}</Note>}
  </section>
);

/** Other times of the doctor of a cancelled appointment, or other doctors. */
const OtherTimes = ({ appointment, nearest }: Pick<Loaded, "appointment" | "nearest">) => (
  <>
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
  </>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.payments_title() }) }];
