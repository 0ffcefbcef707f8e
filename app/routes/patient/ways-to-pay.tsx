import { changeRuleWord } from "#app/domains/booking/appointments/words.ts";
import { PayOnline, PayPress } from "#app/domains/money/online/components/pay-online.tsx";
import { payWords } from "#app/domains/money/online/pay-words.ts";
import { formatTime } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, type NadiForm, SubmitButton } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { Route } from "./+types/booking-payment.ts";
import { PaymentTerms } from "./payment-terms.tsx";
import { UpiCode } from "./payment-waiting.tsx";

type Press = { form: NadiForm; failed: Parameters<typeof PayPress>[0]["failed"]; onLeave: () => void };
type Props = Route.ComponentProps["loaderData"] & Press;

/** How the fee can be paid: online, by UPI or the external page, and at the clinic. `onLeave`: the patient chose a way outside Nadi. */
export function WaysToPay({ appointment, toPay, terms, link, view, hasTax, prepay, upi, live, form, failed, onLeave }: Props) {
  const pay = view && payWords(view, toPay, hasTax);
  const method = appointment.paymentMethod;
  const way = link ? "link" : upi && "upi";
  const atClinic = live && method !== "clinic" && !prepay;
  const hasChoice = [pay, way, atClinic].filter(Boolean).length > 1;
  return (
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
          {atClinic && <p className="text-sm text-ink-soft">{`${m.payments_clinic()}: ${pay?.fee?.clinic ?? m.payments_clinic_hint()}`}</p>}
        </Form>
      </section>
      {(pay || way || atClinic) && <PayButtons {...{ pay, way, atClinic, toPay, form, failed, onLeave }} />}
      {pay?.checkout && (
        <SubmitButton form={form.id} name="method" value="check" variant="quiet" className="pl-0">
          {m.payments_wait_paid()}
        </SubmitButton>
      )}
      {terms && <PaymentTerms terms={terms} rule={changeRuleWord(appointment)} fee={pay?.fee?.terms} refunds={pay?.refunds} />}
      {upi && <UpiCode upi={upi} />}
      {way && <p className="text-sm text-ink-soft mt-2">{m.payments_not_proof()}</p>}
    </>
  );
}

type Ways = { pay: ReturnType<typeof payWords> | null; way: "link" | "upi" | null; atClinic: boolean };
const PayButtons = ({ pay, way, atClinic, toPay, form, failed, onLeave }: Ways & Press & Pick<Props, "toPay">) => (
  <div className="sticky top-14 bottom-0 z-4 -mx-gutter grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3 bg-page px-gutter py-3 max-narrow:static short:top-0 *:w-full">
    {pay && <PayPress {...pay} form={form.id} failed={failed} />}
    {way && (
      <SubmitButton form={form.id} name="method" value={way} size="lg" onClick={onLeave}>
        {way === "link" ? m.payments_go({ fee: formatRupees(toPay) }) : m.payments_upi_open({ fee: formatRupees(toPay) })}
      </SubmitButton>
    )}
    {atClinic && (
      <SubmitButton form={form.id} name="method" value="clinic" variant="second" size="lg">
        {m.payments_clinic()}
      </SubmitButton>
    )}
  </div>
);
