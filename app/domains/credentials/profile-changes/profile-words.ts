import type { ChangeParts, ChangeStatus, ReviewedField } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";

const FIELD: Record<ReviewedField, () => string> = {
  name: () => m.profile_field_name(),
  council: () => m.profile_field_council(),
  hospital: () => m.profile_field_hospital(),
  bank: () => m.profile_field_bank(),
};
export const fieldWord = (field: ReviewedField) => FIELD[field]();

const STATUS: Record<ChangeStatus, () => string> = {
  pending: () => m.profile_change_pending(),
  approved: () => m.profile_change_approved(),
  refused: () => m.profile_change_refused(),
  withdrawn: () => m.profile_change_withdrawn(),
};
export const changeStatusWord = (status: ChangeStatus) => STATUS[status]();

/** "••••••• 4321" */
export const maskedAccount = (last4: string) => `••••••• ${last4}`;

const PARTS: Record<ReviewedField, [part: string, label: () => string, shown?: (value: string) => string][]> = {
  name: [
    ["fullName", () => m.profile_full_name()],
    ["nameInTelugu", () => m.ownnames_telugu()],
    ["nameInHindi", () => m.ownnames_hindi()],
  ],
  council: [
    ["councilName", () => m.profile_council_name()],
    ["councilNumber", () => m.profile_council_number()],
    ["councilYear", () => m.profile_council_year()],
  ],
  hospital: [
    ["hospitalName", () => m.profile_hospital_name()],
    ["hospitalAddress", () => m.profile_hospital_address()],
    ["contactNumber", () => m.profile_hospital_phone()],
  ],
  bank: [
    ["bankName", () => m.profile_bank_name()],
    ["bankBranch", () => m.profile_bank_branch()],
    ["accountHolderName", () => m.profile_account_holder()],
    ["accountLast4", () => m.profile_account(), maskedAccount],
    ["ifscCode", () => m.profile_ifsc()],
  ],
};

/** Returns each part of a field with its name, and old and new values. Leaves out what is empty in both. */
export function partsOf(
  field: ReviewedField,
  before: ChangeParts,
  after: ChangeParts,
): { part: string; label: string; before: string; after: string; changed: boolean }[] {
  const given = PARTS[field].filter(([part]) => before[part] || after[part]);
  return given.map(([part, label, shown = (value: string) => value]) => {
    const old = before[part] ?? "";
    const now = after[part] ?? "";
    // A new account number may have the same last four digits.
    const changed = old !== now || (part === "accountLast4" && after.accountChanged === "yes");
    return { part, label: label(), before: old && shown(old), after: now && shown(now), changed };
  });
}
