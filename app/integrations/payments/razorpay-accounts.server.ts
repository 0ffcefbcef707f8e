import { z } from "zod";
import { DomainError } from "#app/lib/domain-error.ts";
import type { PayoutMerchant } from "#app/lib/payout-details.ts";
import type { LinkedAccounts, LinkedStatus } from "./linked-accounts.ts";
import { listOf } from "./razorpay-shapes.ts";

const Account = z.object({ id: z.string(), reference_id: z.string().nullish() });
const Stakeholder = z.object({ id: z.string() });
const Product = z.object({
  id: z.string(),
  activation_status: z.string(),
  requirements: z.array(z.object({ field_reference: z.string().max(100) }).loose()).nullish(),
});

type Call = <T extends z.ZodType>(shape: T, method: "GET" | "POST" | "PATCH", path: string, body?: object) => Promise<z.infer<T>>;

/** The name of a field, as the page may show it. Other text of the provider is not stored. */
export const fieldOf = (text: string | null | undefined): string | null => (text && /^[a-z_.]{1,60}$/.test(text) ? text : null);

function statusOf({ activation_status: status, requirements }: z.infer<typeof Product>): LinkedStatus {
  if (status === "activated") return { status: "active", reason: null };
  if (["needs_clarification", "suspended", "rejected"].includes(status))
    return { status: "refused", reason: fieldOf(requirements?.[0]?.field_reference) };
  return { status: "checking", reason: null };
}

const addressOf = ({ street, city, state, pinCode }: PayoutMerchant) => ({
  // Two lines of at most 100 characters.
  street1: street.slice(0, 100),
  street2: street.slice(100, 200) || city,
  city,
  state,
  postal_code: pinCode,
  country: "IN",
});
const changeable = (merchant: PayoutMerchant) => ({
  legal_business_name: merchant.name,
  contact_name: merchant.contactName,
  profile: { category: "healthcare", subcategory: "clinic", addresses: { registered: addressOf(merchant) } },
  legal_info: { pan: merchant.pan },
});
const ownerOf = (merchant: PayoutMerchant) => ({ name: merchant.name, email: merchant.email, kyc: { pan: merchant.pan } });

/** Linked accounts of Razorpay Route: `/v2/accounts`, their stakeholders and the product `route`. `call`: of razorpay.server.ts, for version 2. */
export function linkedAccounts(call: Call): LinkedAccounts {
  const at = encodeURIComponent;
  const product = (accountId: string, productId: string) => `/accounts/${at(accountId)}/products/${at(productId)}`;

  /** An account with this email exists: ours, when an earlier call was not answered. The refusal names its id. */
  async function findCreated(ownId: string, error: unknown): Promise<string> {
    const { description = "" } = (error instanceof DomainError ? (error.detail ?? {}) : {}) as { description?: string };
    const [, id] = /already exists for account - (?:acc_)?([A-Za-z0-9]{8,20})/.exec(description) ?? [];
    if (!id) throw error;
    const found = await call(Account, "GET", `/accounts/${at(`acc_${id}`)}`);
    if (found.reference_id !== ownId) throw new DomainError("conflict", undefined, { detail: { field: "email" }, cause: error });
    return found.id;
  }

  return {
    create: async (ownId, merchant) => {
      try {
        const made = await call(Account, "POST", "/accounts", {
          ...changeable(merchant),
          email: merchant.email,
          phone: merchant.phone.replace(/^\+91/, ""),
          type: "route",
          reference_id: ownId,
          business_type: merchant.businessType,
        });
        return made.id;
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== "conflict") throw error;
        return findCreated(ownId, error);
      }
    },
    update: async (accountId, merchant) => void (await call(Account, "PATCH", `/accounts/${at(accountId)}`, changeable(merchant))),
    createOwner: async (accountId, merchant) => {
      const path = `/accounts/${at(accountId)}/stakeholders`;
      try {
        return (await call(Stakeholder, "POST", path, ownerOf(merchant))).id;
      } catch (error) {
        // An account has one: an earlier call that was not answered may have made it.
        const [known] =
          error instanceof DomainError && error.code === "conflict" ? (await call(listOf(Stakeholder), "GET", path)).items : [];
        if (!known) throw error;
        return known.id;
      }
    },
    updateOwner: async (accountId, ownerId, merchant) => {
      const { name, kyc } = ownerOf(merchant);
      await call(Stakeholder, "PATCH", `/accounts/${at(accountId)}/stakeholders/${at(ownerId)}`, { name, kyc });
    },
    requestRoute: async (accountId) =>
      (await call(Product, "POST", `/accounts/${at(accountId)}/products`, { product_name: "route", tnc_accepted: true })).id,
    setBank: async ({ accountId, productId }, { holder, account, ifsc }) =>
      statusOf(
        await call(Product, "PATCH", product(accountId, productId), {
          settlements: { account_number: account, ifsc_code: ifsc, beneficiary_name: holder },
          tnc_accepted: true,
        }),
      ),
    fetchStatus: async ({ accountId, productId }) => statusOf(await call(Product, "GET", product(accountId, productId))),
  };
}
