import type { SubmissionResult } from "@conform-to/react";
import { type FormEvent, useState } from "react";
import { formatDate, formatDay, formatInstant, formatTime, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees, minus, type Paise, parseRupees, rupeesPlain } from "#app/lib/money.ts";
import { AT_CLINIC, RECEIVED_BY, type ReceivedBy, STAFF_REFUND_REASONS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, RadioPicks, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { Dock } from "#app/ui/shell.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { HandledMoney, PaymentLine } from "../payment-line.ts";
import { receivedByWord, refundReasonWord } from "../words.ts";

type Result = SubmissionResult<string[]> | undefined;
/** "500" or "500.50", for a text field. */
const typed = (paise: Paise) => rupeesPlain(paise).replace(/\.00$/, "");
const methods = (of: readonly ReceivedBy[] = AT_CLINIC) => of.map((value) => ({ value, label: receivedByWord(value) }));

const About = ({ money }: { money: HandledMoney }) => (
  <div className="card mt-4">
    <Facts
      items={[
        [m.appointments_patient(), money.patientName],
        [m.appointments_when(), `${formatDay(money.date)}, ${formatTime(money.time)}`],
        money.fee !== null && [m.payments_fee(), formatRupees(money.fee)],
        money.discount > 0 && [m.money_discount(), m.payments_minus({ amount: formatRupees(money.discount) })],
        money.due !== null && [m.money_due(), <b key="d">{formatRupees(money.due)}</b>],
      ]}
    />
  </div>
);

/** The form that records a payment at the clinic. `formKey`: a second press with it records nothing. */
export function RecordPaymentForm({ money, formKey, result }: { money: HandledMoney; formKey: string; result: Result }) {
  const [form, fields] = useNadiForm<{ method: string; amount: string; reference: string }>({
    id: "record",
    lastResult: result,
    defaultValue: { method: "cash", amount: money.due ? typed(money.due) : "" },
  });
  if (money.cancelled || money.due === 0)
    return (
      <>
        <About money={money} />
        <Note tone={money.cancelled ? "warn" : "ok"} className="mt-4">
          {money.cancelled ? m.money_cancelled() : m.money_nothing_due()}
        </Note>
      </>
    );
  return (
    <>
      <About money={money} />
      {money.record === "instead" && (
        <Note tone="warn" className="mt-4">
          {m.money_confirming_text()} {m.money_instead_text()}
        </Note>
      )}
      <Form form={form} className="mt-4">
        <input type="hidden" name="key" value={formKey} />
        <TextField field={fields.amount} label={m.money_amount()} inputMode="decimal" autoComplete="off" />
        <RadioPicks field={fields.method} label={m.money_method()} options={methods()} />
        <TextField
          field={fields.reference}
          label={m.money_reference()}
          hint={m.money_reference_hint()}
          optional
          maxLength={60}
          autoComplete="off"
        />
        <Dock>
          <SubmitButton size="lg">{m.money_record_save()}</SubmitButton>
        </Dock>
      </Form>
    </>
  );
}

/** The form that returns the money of a refund that the provider could not make. */
export function FailedRefundForm({
  failed,
  formKey,
  result,
}: {
  failed: { id: string; amount: Paise; at: Date | null; next: Date | null };
  formKey: string;
  result: Result;
}) {
  const [form, fields] = useNadiForm<{ method: string }>({ id: "failed", lastResult: result });
  const amount = formatRupees(failed.amount);
  return (
    <section className="card mt-4" aria-labelledby="h-failed">
      <h2 id="h-failed">{m.online_failed_badge()}</h2>
      <Note tone="warn" className="mt-2">
        {m.online_failed_text({ amount, date: formatDate(todayInIndia(failed.at ?? new Date(0))) })}{" "}
        {failed.next && m.online_failed_soon({ at: formatInstant(failed.next) })}
      </Note>
      <Form form={form} className="mt-2">
        <input type="hidden" name="key" value={formKey} />
        <input type="hidden" name="failed" value={failed.id} />
        <input type="hidden" name="amount" value={rupeesPlain(failed.amount)} />
        <input type="hidden" name="reason" value="agreed" />
        <RadioPicks
          field={fields.method}
          label={m.online_failed_method()}
          options={[...methods(), { value: "online", label: m.online_failed_online() }]}
        />
        <SubmitButton>{m.online_failed_save({ amount })}</SubmitButton>
      </Form>
    </section>
  );
}

/** Returns what the button of a refund does: online it sends the money, otherwise it records that it was returned. */
function refundWord(method: ReceivedBy, typedAmount: string): string {
  const paise = parseRupees(typedAmount);
  if (!paise) return m.money_refund_save();
  const amount = formatRupees(paise);
  return method === "online" ? m.money_refund_send({ amount }) : m.money_refund_record({ amount });
}

/** The form that records a refund of one payment. `isSecond`: below the form of a refund that failed. */
export function RefundForm({
  payment,
  isSecond = false,
  money,
  formKey,
  result,
}: {
  payment: PaymentLine;
  money: HandledMoney;
  formKey: string;
  result: Result;
  isSecond?: boolean;
}) {
  const left = minus(payment.amount, payment.refunded);
  const fee = minus(payment.platformFee, payment.platformFeeRefunded);
  const isOnline = payment.method === "online";
  const [form, fields] = useNadiForm<{ method: string; amount: string; reason: string }>({
    id: "refund",
    lastResult: result,
    defaultValue: { method: payment.method, amount: typed(left), reason: money.cancelled ? "cancelled" : "" },
  });
  // The button says what it does with the amount as it is typed. Without scripts it names none.
  const hydrated = useHydrated();
  const [{ method, amount }, setTyped] = useState({ method: payment.method, amount: typed(left) });
  const follow = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const data = new FormData(currentTarget);
    setTyped({ method: data.get("method") as ReceivedBy, amount: String(data.get("amount") ?? "") });
  };
  if (isSecond && left === 0) return null;
  return (
    <>
      <RefundFacts payment={payment} patientName={money.patientName} />
      {left === 0 ? (
        <Note className="mt-4">{m.money_refunded_already()}</Note>
      ) : (
        <Form form={form} className="mt-4" onInput={follow}>
          <input type="hidden" name="key" value={formKey} />
          <TextField field={fields.amount} label={m.money_refund_amount()} inputMode="decimal" autoComplete="off" />
          <RadioPicks
            field={fields.reason}
            label={m.money_reason()}
            options={STAFF_REFUND_REASONS.filter((value) => !isOnline || value !== "mistake").map((value) => ({
              value,
              label: refundReasonWord(value),
            }))}
          />
          <RadioPicks field={fields.method} label={m.money_refund_method()} options={methods(isOnline ? RECEIVED_BY : AT_CLINIC)} />
          {isOnline && <p className="text-sm text-ink-soft">{m.online_refund_text()}</p>}
          {fee > 0 && <p className="text-sm text-ink-soft">{m.platform_with_refund({ fee: formatRupees(fee) })}</p>}
          <p className="text-sm text-ink-soft mb-3">{m.money_refund_text()}</p>
          <Dock>
            <SubmitButton size="lg">{hydrated ? refundWord(method, amount) : m.money_refund_save()}</SubmitButton>
          </Dock>
        </Form>
      )}
    </>
  );
}

function RefundFacts({ payment, patientName }: { payment: PaymentLine; patientName: string }) {
  return (
    <div className="card mt-4">
      <Facts
        items={[
          [m.appointments_patient(), patientName],
          [
            m.money_receipt(),
            <span key="n" className="num">
              {payment.receipt}
            </span>,
          ],
          [m.money_received(), `${formatRupees(payment.amount)}, ${receivedByWord(payment.method)}`],
          payment.refunded > payment.notReturned && [m.money_refunded(), formatRupees(minus(payment.refunded, payment.notReturned))],
          payment.notReturned > 0 && [m.money_refund_failed(), formatRupees(payment.notReturned)],
        ]}
      />
    </div>
  );
}
