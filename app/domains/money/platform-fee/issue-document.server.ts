import { and, eq, isNull, sql } from "drizzle-orm";
import { platformFeeDocuments, platformFeeSeries } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { Paise } from "#app/lib/money.ts";
import type { InvoiceTerms } from "#app/lib/platform-fee.ts";
import type { PlatformFeeDocumentKind } from "#app/lib/vocabulary.ts";
import { financialYearOf } from "../receipts/receipt-number.ts";
import { taxOfFee } from "./tax.ts";

/** Issues the invoice of a payment's platform fee with the terms of its order, in the transaction of the payment. */
export async function issueInvoice(tx: Ctx, { terms, ...of }: { paymentId: string; amount: Paise; terms: InvoiceTerms }): Promise<void> {
  await issue(tx, { kind: "invoice", refundId: null, ...of, ...terms });
}

/**
 * Issues the credit note of a refund of the platform fee, or again an invoice when that refund is withdrawn, in the transaction of the refund. Tax
 * and invoicer are those of the payment's invoice, whatever is configured today.
 */
export async function issueForRefund(
  tx: Ctx,
  of: { kind: PlatformFeeDocumentKind; paymentId: string; refundId: string; amount: Paise },
): Promise<void> {
  const [invoice] = await tx.db
    .select({ tax: platformFeeDocuments.tax, invoicer: platformFeeDocuments.invoicer, gstin: platformFeeDocuments.gstin })
    .from(platformFeeDocuments)
    .where(
      and(
        eq(platformFeeDocuments.paymentId, of.paymentId),
        eq(platformFeeDocuments.kind, "invoice"),
        isNull(platformFeeDocuments.refundId),
      ),
    );
  await issue(tx, { ...of, ...invoice! });
}

type Issued = InvoiceTerms & Pick<typeof platformFeeDocuments.$inferSelect, "kind" | "paymentId" | "refundId" | "amount">;

/** Issues a document with the next number. The row of the series stays locked until the commit, so that no number is skipped. */
async function issue(tx: Ctx, { tax, ...of }: Issued): Promise<void> {
  const financialYear = financialYearOf(todayInIndia(tx.now));
  const [column, last] =
    of.kind === "invoice" ? (["invoices", platformFeeSeries.invoices] as const) : (["creditNotes", platformFeeSeries.creditNotes] as const);
  const [next] = await tx.db
    .insert(platformFeeSeries)
    .values({ financialYear, [column]: 1 })
    .onConflictDoUpdate({ target: platformFeeSeries.financialYear, set: { [column]: sql`${last} + 1` } })
    .returning({ number: last });
  const rates = tax.map(({ name, percent }) => ({ name, percent }));
  const { taxable, lines } = taxOfFee(of.amount, rates);
  await tx.db.insert(platformFeeDocuments).values({ ...of, financialYear, number: next!.number, taxable, tax: lines, issuedAt: tx.now });
}
