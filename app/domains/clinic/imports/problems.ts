/** Why a row cannot be read. Labels: words.ts. */
export const ROW_PROBLEMS = [
  "characters-unreadable",
  "name-missing",
  "name-formula",
  "name-long",
  "phone-short",
  "phone-long",
  "phone-not-mobile",
  "phone-shortened",
  "date-missing",
  "date-not-real",
  "date-unclear",
  "date-other-order",
  "birth-future",
  "age-over",
  "time-missing",
  "time-unclear",
  "status-unknown",
  "amount-unclear",
  "patient-missing",
  "patient-incomplete",
] as const;
export type RowProblem = (typeof ROW_PROBLEMS)[number];

/** What was read but not stored. */
export const ROW_NOTICES = ["second-phone", "gender-unknown", "blood-unknown", "text-cut", "payment-not-stored"] as const;
export type RowNotice = (typeof ROW_NOTICES)[number];
