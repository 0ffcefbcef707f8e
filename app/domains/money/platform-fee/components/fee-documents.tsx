import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupeesExact } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import type { FeeDocument } from "../documents.ts";

const TITLES = {
  invoice: { title: m.platform_invoice, number: m.platform_invoice_number },
  "credit-note": { title: m.platform_credit_note, number: m.platform_credit_note_number },
};

/** Invoice and credit notes of a platform fee, on the patient's receipt. */
export const FeeDocuments = ({ documents }: { documents: readonly FeeDocument[] }) =>
  documents.map((one, n) => (
    <section key={one.id} className="pt-4 border-t-2 border-t-line [break-inside:avoid] space-y-4" aria-labelledby={`h-${one.number}`}>
      <h2 id={`h-${one.number}`}>{TITLES[one.kind].title()}</h2>
      <Facts
        items={[
          [
            TITLES[one.kind].number(),
            <span key="n" className="num">
              {one.number}
            </span>,
          ],
          one.kind === "credit-note" && [
            m.platform_of_invoice(),
            <span key="i" className="num">
              {documents.findLast(({ kind }, before) => before < n && kind === "invoice")?.number}
            </span>,
          ],
          [m.platform_issued_on(), formatDate(todayInIndia(new Date(one.issuedAt)))],
          [m.platform_issued_by(), one.invoicer],
          [
            m.platform_gstin(),
            one.gstin && (
              <span key="g" className="num">
                {one.gstin}
              </span>
            ),
          ],
        ]}
      />
      <Amounts
        items={[
          one.tax.length > 0 && [m.platform_taxable(), formatRupeesExact(one.taxable)],
          ...one.tax.map((line): [string, string] => [
            m.platform_tax_line({ name: line.name, percent: String(line.percent) }),
            formatRupeesExact(line.amount),
          ]),
          [<b key="t">{one.tax.length > 0 ? m.platform_with_tax() : m.platform_fee()}</b>, <b key="a">{formatRupeesExact(one.amount)}</b>],
        ]}
      />
    </section>
  ));
