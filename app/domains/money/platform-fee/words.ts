import type { PlatformFeeDocumentKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

export const documentWord = (kind: PlatformFeeDocumentKind): string =>
  kind === "invoice" ? m.platform_kind_invoice() : m.platform_kind_credit_note();
