import { randomUUID } from "node:crypto";
import { ledgerEntries } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { Line } from "./ledger.ts";

/** Writes the lines of a transfer, in the transaction of the command that moves the money. */
export async function postTransfer(
  tx: Ctx,
  about: { paymentId: string; merchantId: string; doctorId: string; refundId?: string },
  lines: readonly Line[],
): Promise<void> {
  const transferId = randomUUID();
  await tx.db.insert(ledgerEntries).values(lines.map((line) => ({ transferId, ...about, ...line, at: tx.now })));
}
