import { m } from "#app/paraglide/messages.js";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { Route } from "./+types/booking-payment.ts";

/** The refund policy: its deadline in one line, and the rules behind it. Open when money would not come back. */
export const PaymentTerms = ({
  terms,
  rule,
  fee,
  refunds,
}: {
  terms: NonNullable<Route.ComponentProps["loaderData"]["terms"]>;
  rule: string;
  fee: string | undefined;
  refunds: string | undefined;
}) => (
  <details className="mt-3" open={terms.soon !== ""}>
    <summary className="inline-flex min-h-target-min flex-wrap items-center gap-x-1">
      <span>{rule}</span> <b className="underline">{m.payments_rules()}</b>
    </summary>
    <section className="card mt-2" aria-labelledby="h-refund">
      <h2 id="h-refund">{terms.title}</h2>
      {terms.soon && (
        <Note tone="warn" className="mt-2">
          {terms.soon}
        </Note>
      )}
      <Amounts className="mt-2" items={terms.rows} />
      {fee && <p className="text-sm text-ink-soft mt-2">{fee}</p>}
      <p className="text-sm text-ink-soft mt-2">{refunds ?? m.payments_refunds()}</p>
    </section>
  </details>
);
