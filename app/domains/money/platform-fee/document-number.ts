import type { PlatformFeeDocumentKind } from "#app/lib/vocabulary.ts";
import { receiptNumber } from "../receipts/receipt-number.ts";

/** "F2026-27/000418" for an invoice and "C2026-27/000418" for a credit note: at most 16 characters, as rule 46 of the CGST Rules asks. */
export const documentNumber = (of: { kind: PlatformFeeDocumentKind; financialYear: string; number: number }): string =>
  `${of.kind === "invoice" ? "F" : "C"}${receiptNumber(of)}`;
