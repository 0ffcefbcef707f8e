import type { SubmissionResult } from "@conform-to/react";
import { BUSINESS_TYPES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Checkbox, type Field, Form, SelectField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import { Dock } from "#app/ui/shell.tsx";
import type { KnownMerchant } from "../payouts.ts";
import { businessTypeWord } from "../words.ts";

type Result = SubmissionResult<string[]> | null | undefined;
type Fields = Record<
  "name" | "businessType" | "pan" | "street" | "city" | "state" | "pinCode" | "holder" | "account" | "ifsc" | "agreed",
  string
>;
type FormFields = Record<keyof Fields, Field>;
type BankDetails = { bankName: string; holder: string; last4: string; ifsc: string };

/**
 * The form of a payout account. `bank`: the verified bank details of a doctor; null where the owner of a place types them. `isKnown`: the provider knows
 * the merchant, so only the bank account changes.
 */
export function PayoutForm({
  known,
  bank,
  isKnown,
  result,
}: {
  known: KnownMerchant;
  bank: BankDetails | null;
  isKnown: boolean;
  result: Result;
}) {
  const { name, street, city, state, pinCode } = known;
  const [form, fields] = useNadiForm<Fields>({
    id: "payout",
    lastResult: result ?? null,
    defaultValue: { name, street, city, state, pinCode, businessType: "" },
  });
  return (
    <>
      <p>{isKnown ? m.payout_form_bank() : m.payout_form_text()}</p>
      <Form form={form} className="mt-4">
        {!isKnown && bank === null && merchantFields(fields)}
        {!isKnown && addressFields(fields)}
        {bank === null ? accountFields(fields) : <VerifiedAccount bank={bank} />}
        <Checkbox field={fields.agreed} label={m.payout_agree()} />
        <Dock>
          <SubmitButton size="lg" full pendingText={m.payout_sending()}>
            {m.payout_send()}
          </SubmitButton>
        </Dock>
      </Form>
    </>
  );
}

// Functions and no components, so that the error summary of the form reads the labels (app/ui/error-summary.tsx).
const merchantFields = (fields: FormFields) => (
  <>
    <TextField field={fields.name} label={m.payout_name()} hint={m.payout_name_hint()} maxLength={200} required />
    <SelectField
      field={fields.businessType}
      label={m.payout_type()}
      placeholder={m.payout_type_choose()}
      options={BUSINESS_TYPES.map((value) => ({ value, label: businessTypeWord(value) }))}
      required
    />
    <TextField
      field={fields.pan}
      label={m.application_pan()}
      hint={m.application_pan_hint()}
      autoCapitalize="characters"
      autoComplete="off"
      maxLength={14}
      required
    />
  </>
);

const addressFields = (fields: FormFields) => (
  <>
    <TextField field={fields.street} label={m.payout_street()} autoComplete="address-line1" maxLength={200} required />
    <TextField field={fields.city} label={m.payout_city()} autoComplete="address-level2" maxLength={80} required />
    <TextField field={fields.state} label={m.payout_state()} autoComplete="address-level1" maxLength={80} required />
    <TextField field={fields.pinCode} label={m.payout_pin()} inputMode="numeric" autoComplete="postal-code" maxLength={10} required />
  </>
);

const accountFields = (fields: FormFields) => (
  <>
    <TextField field={fields.holder} label={m.profile_account_holder()} maxLength={120} autoComplete="off" required />
    <TextField field={fields.account} label={m.profile_account()} inputMode="numeric" autoComplete="off" maxLength={24} required />
    <TextField field={fields.ifsc} label={m.profile_ifsc()} autoCapitalize="characters" autoComplete="off" maxLength={14} required />
  </>
);

const VerifiedAccount = ({ bank }: { bank: BankDetails }) => (
  <div className="card mb-3">
    <h2>{m.payout_verified()}</h2>
    <Facts
      items={[
        [m.profile_account_holder(), bank.holder],
        [m.profile_account(), m.payout_account_ends({ number: bank.last4 })],
        [m.profile_ifsc(), bank.ifsc],
        [m.profile_bank_name(), bank.bankName],
      ]}
    />
  </div>
);
