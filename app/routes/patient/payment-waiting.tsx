import { chosenWayWord } from "#app/domains/booking/payments/words.ts";
import { formatTime } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, type NadiForm, SubmitButton } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { QrCode } from "#app/ui/members/qr-code.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import type { Route } from "./+types/booking-payment.ts";

type Props = Route.ComponentProps["loaderData"];

/** The page after a payment was begun, until its result is known: what to do now, and a button that asks for the result. */
export function PaymentWaiting({ appointment, toPay, waits, checked, link, upi, form }: Props & { form: NadiForm }) {
  const fee = formatRupees(toPay);
  const isAtBank = waits === "bank";
  return (
    <section className="mt-7 space-y-4" aria-labelledby="waiting">
      <div className="card">
        <div className="row items-start">
          <span
            className="size-10 flex-none animate-spin rounded-full border-4 border-brand border-r-line motion-reduce:animate-none"
            aria-hidden="true"
          />
          <div className="grow space-y-1">
            <h1 id="waiting">{isAtBank ? m.payments_confirming() : waits === "upi" ? m.payments_wait_upi() : m.payments_wait_link()}</h1>
            <p>
              {isAtBank
                ? m.online_confirming()
                : upi
                  ? m.payments_wait_upi_text({ fee, payee: upi.payee })
                  : m.payments_wait_link_text({ fee })}
            </p>
          </div>
        </div>
        <p className="mt-4 border-t border-line pt-4 text-sm text-ink-soft">
          {!isAtBank && <b className="block">{chosenWayWord(appointment.paymentMethod)}</b>}
          {checked && m.payments_wait_checked({ time: formatTime(checked) })} {m.payments_wait_again()}
        </p>
      </div>
      {upi?.demo && <Note tone="warn">{m.payments_demo_payee()}</Note>}
      <Form form={form}>
        <SubmitButton name="method" value="check" size="lg" full>
          {isAtBank ? m.payments_wait_check() : m.payments_wait_paid()}
        </SubmitButton>
      </Form>
      {upi && (
        <LinkButton to={upi.href} variant="second" full rel="noreferrer">
          {m.payments_wait_open()}
        </LinkButton>
      )}
      {link && waits === "link" && (
        <LinkButton to={link} variant="second" full rel="noreferrer">
          {m.payments_go({ fee })}
        </LinkButton>
      )}
      {upi && <UpiCode upi={upi} />}
      {!isAtBank && (
        <div>
          <h2>{m.payments_wait_problem()}</h2>
          <SubmitButton form={form.id} name="method" value="clinic" variant="quiet" className="pl-0">
            {m.payments_wait_clinic()}
          </SubmitButton>
          <p className="text-sm text-ink-soft">{m.payments_wait_safe()}</p>
        </div>
      )}
    </section>
  );
}

/** The code for the UPI app of another phone, and whom it pays. */
export const UpiCode = ({ upi }: { upi: NonNullable<Props["upi"]> }) => (
  <details className="card filters">
    <summary className="inline-flex min-h-target-min items-center gap-2">
      {m.payments_other_phone()}
      <Icon name="chevron-down" small className="desktop:hidden" />
    </summary>
    <p className="text-center text-sm text-ink-soft">{m.payments_upi_scan()}</p>
    <QrCode svg={upi.qr} label={m.payments_qr_label({ payee: upi.payee })} />
    <Facts
      items={[
        [m.payments_payee(), upi.payee],
        [m.payments_upi_id(), upi.vpa],
      ]}
    />
  </details>
);
