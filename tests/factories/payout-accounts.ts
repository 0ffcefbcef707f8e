/** Payout accounts, inserted directly: ours, and the linked account of the test gateway. */
import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import type { PayoutState } from "#app/lib/vocabulary.ts";
import type { Gateway } from "../../scripts/gateway/gateway.ts";

/** Gives a merchant a payout account in a state, by default confirmed. Returns the provider's id of it. */
export async function makePayoutAccount(
  { sql, gateway }: { sql: postgres.Sql; gateway: Gateway },
  merchantId: string,
  { state = "active", isPlace = false }: { state?: PayoutState; isPlace?: boolean } = {},
): Promise<string> {
  const id = `acc_${randomBytes(7).toString("hex")}`;
  const status = state === "active" ? "activated" : state === "refused" ? "needs_clarification" : "under_review";
  const productId = `acc_prd_${id.slice(4)}`;
  const name = { email: `${id}@proof.test`, referenceId: id.slice(0, 20), name: "Proof Clinic", pan: "ABCDE1234F" };
  const bank = { account: "998877665544", ifsc: "HDFC0000317", holder: "Proof Clinic" };
  gateway.linked.accounts.set(id, { id, ...name, stakeholderId: "sth_1", productId, bank, status, field: null });
  // Only a request has details, and these tests do not send it.
  await sql`insert into payout_accounts (merchant_id, is_place, provider, state, account_last4, ifsc_code, details, account_id, stakeholder_id,
      product_id, requested_at, next_try_at)
    values (${merchantId}, ${isPlace}, 'local', ${state}, '5544', 'HDFC0000317', ${state === "requested" ? '""' : null}::jsonb, ${id}, 'sth_1',
      ${productId}, ${new Date()}, now() + interval '1 day')`;
  return id;
}
