/** Linked accounts of the test gateway: Razorpay's `/v2/accounts` with stakeholders and the product `route`. It checks what Razorpay checks. */
import { randomBytes } from "node:crypto";

type GatewayAccount = {
  id: string;
  email: string;
  referenceId: string;
  name: string;
  pan: string;
  stakeholderId: string | null;
  productId: string | null;
  bank: { account: string; ifsc: string; holder: string } | null;
  status: string;
  /** The field that a refused account must correct. */
  field: string | null;
};
type Answer = { status?: number; json?: unknown };
type Json = Record<string, unknown>;

const newId = (kind: string) => `${kind}_${randomBytes(7).toString("hex")}`;
const text = (of: unknown) => (typeof of === "string" ? of : "");
const part = (of: unknown, name: string) => ((of ?? {}) as Json)[name];
const refused = (description: string, field: string | null = null): Answer => ({
  status: 400,
  json: { error: { code: "BAD_REQUEST_ERROR", description, field } },
});

export function startAccounts() {
  const accounts = new Map<string, GatewayAccount>();
  /** A bank account is confirmed at once, or stays under review until `decide`. */
  const behaviour = { atOnce: true };

  const accountJson = (one: GatewayAccount) => ({
    id: one.id,
    type: "route",
    status: "created",
    email: one.email,
    reference_id: one.referenceId,
    legal_business_name: one.name,
    legal_info: { pan: one.pan },
  });
  const productJson = (one: GatewayAccount) => ({
    id: one.productId,
    account_id: one.id,
    product_name: "route",
    activation_status: one.status,
    requirements: one.field ? [{ field_reference: one.field, reason_code: "field_missing", status: "required" }] : [],
  });

  /** Sets what the provider decided. */
  function decide(
    id: string,
    status: "activated" | "under_review" | "needs_clarification" | "suspended",
    field: string | null = null,
  ): void {
    Object.assign(accounts.get(id)!, { status, field });
  }

  function answer(method: string, path: string, sent: Json): Answer {
    const [, , , id, what, partId] = path.split("/");
    const one = accounts.get(id ?? "");
    if (id && !one) return refused("Linked account does not exist");
    const pan = text(part(sent.legal_info, "pan") ?? part(sent.kyc, "pan"));
    if (pan && !/^[A-Z]{5}\d{4}[A-Z]$/.test(pan)) return refused("The pan format is invalid", what ? "kyc.pan" : "legal_info.pan");
    switch (`${method} ${id ? "/:id" : ""}${what ? `/${what}` : ""}${partId ? "/:id" : ""}`) {
      case "POST ": {
        const [email, name, referenceId] = [text(sent.email), text(sent.legal_business_name), text(sent.reference_id)];
        const known = [...accounts.values()].find((account) => account.email === email);
        if (known) return refused(`Merchant email already exists for account - ${known.id.slice("acc_".length)}`, "email");
        const address = part(part(part(sent.profile, "addresses"), "registered"), "postal_code");
        if (!email.includes("@")) return refused("The email field is required", "email");
        if (sent.type !== "route" || !text(sent.business_type) || name.length < 4)
          return refused("Invalid business", "legal_business_name");
        if (referenceId.length > 20) return refused("The reference id may not be greater than 20 characters", "reference_id");
        if (!/^\d{6}$/.test(text(address))) return refused("The postal code is invalid", "postal_code");
        const made: GatewayAccount = {
          id: newId("acc"),
          email,
          referenceId,
          name,
          pan,
          stakeholderId: null,
          productId: null,
          bank: null,
          status: "requested",
          field: null,
        };
        accounts.set(made.id, made);
        return { json: accountJson(made) };
      }
      case "GET /:id":
        return { json: accountJson(one!) };
      case "PATCH /:id":
        Object.assign(one!, { name: text(sent.legal_business_name) || one!.name, pan: pan || one!.pan });
        return { json: accountJson(one!) };
      case "POST /:id/stakeholders":
        if (one!.stakeholderId) return refused("Only one stakeholder is allowed");
        one!.stakeholderId = newId("sth");
        return { json: { id: one!.stakeholderId, entity: "stakeholder", name: sent.name, kyc: sent.kyc } };
      case "GET /:id/stakeholders":
        return { json: { entity: "collection", items: one!.stakeholderId ? [{ id: one!.stakeholderId, entity: "stakeholder" }] : [] } };
      case "PATCH /:id/stakeholders/:id":
        return { json: { id: one!.stakeholderId, entity: "stakeholder", name: sent.name, kyc: sent.kyc } };
      case "POST /:id/products":
        if (sent.product_name !== "route" || sent.tnc_accepted !== true) return refused("Invalid product", "product_name");
        one!.productId ??= newId("acc_prd");
        Object.assign(one!, { status: "needs_clarification", field: "settlements.account_number" });
        return { json: productJson(one!) };
      case "PATCH /:id/products/:id": {
        const bank = sent.settlements;
        const [account, ifsc, holder] = ["account_number", "ifsc_code", "beneficiary_name"].map((name) => text(part(bank, name)));
        if (!account || !ifsc || !holder) return refused("The account number is required", "settlements.account_number");
        Object.assign(one!, { bank: { account, ifsc, holder }, status: behaviour.atOnce ? "activated" : "under_review", field: null });
        return { json: productJson(one!) };
      }
      case "GET /:id/products/:id":
        return { json: productJson(one!) };
      default:
        return { status: 404, json: { error: { code: "BAD_REQUEST_ERROR" } } };
    }
  }
  return { accounts, behaviour, decide, answer };
}
