import { DOCUMENT_KINDS, REVIEWED_FIELDS, WAITLIST_ENDS } from "#app/db/schema/index.ts";
import { allPolicies } from "#app/db/schema/policy.ts";
import { REASONS } from "#app/domains/booking/reviews/review.ts";
import { reportReasonWord } from "#app/domains/booking/reviews/words.ts";
import { endWord } from "#app/domains/booking/waitlist/words.ts";
import { documentWord, numberWord, statusWord } from "#app/domains/credentials/cases/words.ts";
import { IDENTITY_CHECKED } from "#app/domains/credentials/identity/erasure.ts";
import { SEALED_NUMBERS } from "#app/domains/credentials/identity/sealed-numbers.ts";
import { fieldWord } from "#app/domains/credentials/profile-changes/profile-words.ts";
import { refundReasonWord } from "#app/domains/money/payments/words.ts";
import { audienceWord } from "#app/domains/oversight/announcements/words.ts";
import { MISSIONS, OFFERS } from "#app/domains/patients/wallet/wallet.ts";
import { missionWords, offerWords } from "#app/domains/patients/wallet/words.ts";
import { RESULTS } from "#app/domains/platform/audit/results.ts";
import { formatDate, formatTime, isDateKey, isTimeKey } from "#app/lib/dates.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { formatRupees } from "#app/lib/money.ts";
import { ownEntry } from "#app/lib/own-entry.ts";
import { AUDIENCES, REFUND_REASONS, REGISTRATION_STATUSES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { resultWord } from "./words.ts";

type Word = (value: string) => string | undefined;

/** Returns a function that translates the codes of a list; undefined for other values. */
const oneOf =
  <Code extends string>(codes: readonly Code[], word: (code: Code) => string): Word =>
  (value) => {
    const code = codes.find((one) => one === value);
    return code && word(code);
  };
const table =
  (words: Partial<Record<string, () => string>>): Word =>
  (value) =>
    ownEntry(words, value)?.();

/** The fields that a user may change, as the log stores their names. */
const CHANGED = table(
  Object.fromEntries(
    [...allPolicies().values()].flatMap(({ columns }) =>
      Object.entries(columns).flatMap(([key, { label, audited = key }]) => (label ? [[audited, label]] : [])),
    ),
  ),
);
const reportReason = oneOf(REASONS, reportReasonWord);
const day: Word = (value) => (isDateKey(value) ? formatDate(value) : undefined);
const status = oneOf(REGISTRATION_STATUSES, statusWord);

/** Details whose values are our codes. */
const VALUES: Partial<Record<string, Word>> = {
  audience: oneOf(AUDIENCES, audienceWord),
  askedBy: table({ patient: () => m.admin_find_patient(), doctor: () => m.admin_find_doctor() }),
  amount: (paise) => formatRupees(Number(paise)),
  changed: (names) =>
    names
      .split(", ")
      .map((name) => CHANGED(name) ?? name)
      .join(", "),
  date: day,
  discount: (paise) => formatRupees(Number(paise)),
  field: oneOf(REVIEWED_FIELDS, fieldWord),
  from: (value) => status(value) ?? day(value),
  kind: oneOf(DOCUMENT_KINDS, documentWord),
  language: table({ en: () => m.names_language_english(), te: () => m.names_language_telugu(), hi: () => m.names_language_hindi() }),
  method: table({
    cash: () => m.money_cash(),
    clinic: () => m.payments_clinic(),
    upi: () => m.audit_value_upi(),
    link: () => m.audit_value_link(),
    online: () => m.money_online(),
    code: () => m.audit_value_code(),
    passkey: () => m.audit_value_passkey(),
  }),
  mission: oneOf(
    MISSIONS.map(({ key }) => key),
    (key) => missionWords(key).title,
  ),
  mode: table({ slots: () => m.practices_mode_slots(), tokens: () => m.practices_mode_tokens() }),
  number: oneOf(SEALED_NUMBERS, numberWord),
  offer: oneOf(
    OFFERS.map(({ key }) => key),
    (key) => offerWords(key).title,
  ),
  platformFee: (paise) => formatRupees(Number(paise)),
  purpose: table({
    "patient-login": () => m.audit_purpose_patient_login(),
    "doctor-login": () => m.audit_purpose_doctor_login(),
    "doctor-register": () => m.audit_purpose_doctor_register(),
    "password-reset": () => m.audit_purpose_password_reset(),
    "change-password": () => m.audit_purpose_change_password(),
    "confirm-identity": () => m.audit_purpose_confirm_identity(),
  }),
  refundReason: oneOf(REFUND_REASONS, refundReasonWord),
  result: oneOf(RESULTS, resultWord),
  reason: (code) => (code === IDENTITY_CHECKED ? m.audit_value_identity_checked() : reportReason(code)),
  time: (value) => (isTimeKey(value) ? formatTime(value) : undefined),
  to: (value) => status(value) ?? day(value),
  until: day,
  why: oneOf(WAITLIST_ENDS, endWord),
};

/** Returns the text of a detail: a translated code, or user input unchanged. */
export function detailValue(key: string, value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? m.ui_yes() : m.ui_no();
  // Shows the number of ids: each has its own audit row.
  if (Array.isArray(value) && value.every((one) => typeof one === "string" && isUuid(one))) return String(value.length);
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  return ownEntry(VALUES, key)?.(text) ?? text;
}
