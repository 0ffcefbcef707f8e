import { formatTime, type TimeKey } from "#app/lib/dates.ts";
import type { ImportKind, ImportState, PastStatus, RowDecision, RowGroup } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { ImportField } from "./columns.ts";
import { MAX_COLUMNS, type SheetFault } from "./limits.ts";
import type { Question } from "./match.ts";
import type { RowNotice, RowProblem } from "./problems.ts";

const FAULTS: Record<SheetFault, () => string> = {
  empty: () => m.import_fault_empty(),
  broken: () => m.import_fault_broken(),
  password: () => m.import_fault_password(),
  "old-excel": () => m.import_fault_old_excel(),
  "not-a-table": () => m.import_fault_not_a_table(),
  "no-sheet": () => m.import_fault_no_sheet(),
  "too-large": () => m.import_fault_too_large(),
  "too-many-rows": () => m.import_fault_too_many_rows(),
  "too-many-columns": () => m.import_fault_too_many_columns({ count: MAX_COLUMNS }),
};
/** Says what is wrong with a file, and what to do. */
export const faultWord = (fault: SheetFault): string => FAULTS[fault]();

/** Why a job stopped. */
export type Stop = "file-gone" | "not-allowed" | "value-refused" | "undo-refused";
const STOPS: Record<Stop, () => string> = {
  "file-gone": () => m.import_stopped_file_gone(),
  "not-allowed": () => m.import_stopped_not_allowed(),
  "value-refused": () => m.import_stopped_value(),
  "undo-refused": () => m.import_stopped_undo(),
};
export const stopWord = (stop: string | null): string => STOPS[stop as Stop]?.() ?? "";

const FIELDS: Record<ImportField, () => string> = {
  name: () => m.import_field_name(),
  phone: () => m.import_field_phone(),
  born: () => m.import_field_born(),
  gender: () => m.profile_gender(),
  blood: () => m.import_field_blood(),
  address: () => m.import_field_address(),
  number: () => m.import_field_number(),
  note: () => m.import_field_note(),
  date: () => m.import_field_date(),
  time: () => m.import_field_time(),
  doctor: () => m.import_field_doctor(),
  status: () => m.import_field_status(),
  fee: () => m.import_field_fee(),
  paid: () => m.import_field_paid(),
};
export const fieldWord = (field: ImportField): string => FIELDS[field]();

export const kindWord = (kind: ImportKind): string => (kind === "patients" ? m.import_kind_patients() : m.import_kind_appointments());

const STATES: Record<ImportState, () => string> = {
  uploaded: () => m.import_state_uploaded(),
  checking: () => m.import_state_checking(),
  checked: () => m.import_state_checked(),
  importing: () => m.import_state_importing(),
  done: () => m.import_state_done(),
  undoing: () => m.import_state_undoing(),
  undone: () => m.import_state_undone(),
  stopped: () => m.import_state_stopped(),
  discarded: () => m.import_state_discarded(),
};
export const stateWord = (state: ImportState): string => STATES[state]();

const GROUPS: Record<RowGroup, () => string> = {
  new: () => m.import_group_new(),
  here: () => m.import_group_here(),
  decision: () => m.import_group_decision(),
  unreadable: () => m.import_group_unreadable(),
};
export const groupWord = (group: RowGroup): string => GROUPS[group]();

/** What is wrong with a row, and what to do. */
const PROBLEMS: Record<RowProblem, () => [why: string, advice: string]> = {
  "characters-unreadable": () => [m.import_why_characters(), m.import_do_characters()],
  "name-missing": () => [m.import_why_name_missing(), m.import_do_name()],
  "name-formula": () => [m.import_why_formula(), m.import_do_type_name()],
  "name-long": () => [m.import_why_name_long(), m.import_do_shorten()],
  "phone-short": () => [m.import_why_phone_short(), m.import_do_ten_digits()],
  "phone-long": () => [m.import_why_phone_long(), m.import_do_ten_digits()],
  "phone-not-mobile": () => [m.import_why_phone_not_mobile(), m.import_do_mobile()],
  "phone-shortened": () => [m.import_why_phone_shortened(), m.import_do_phone_text()],
  "date-missing": () => [m.import_why_date_missing(), m.import_do_date()],
  "date-not-real": () => [m.import_why_date_not_real(), m.import_do_date()],
  "date-unclear": () => [m.import_why_date_unclear(), m.import_do_date_example()],
  "date-other-order": () => [m.import_why_date_order(), m.import_do_date()],
  "birth-future": () => [m.import_why_birth_future(), m.import_do_date()],
  "age-over": () => [m.import_why_age_over(), m.import_do_age()],
  "time-missing": () => [m.import_why_time_missing(), m.import_do_time()],
  "time-unclear": () => [m.import_why_time_unclear(), m.import_do_time()],
  "status-unknown": () => [m.import_why_status(), m.import_do_status()],
  "amount-unclear": () => [m.import_why_amount(), m.import_do_amount()],
  "patient-missing": () => [m.import_why_patient_missing(), m.import_do_patient()],
  "patient-incomplete": () => [m.import_why_patient_incomplete(), m.import_do_patient_first()],
};
export function problemWords(reason: string | null): [why: string, advice: string] {
  return PROBLEMS[reason as RowProblem]?.() ?? ["", ""];
}

const QUESTION_WORDS: Record<Question, () => string> = {
  "same-phone": () => m.import_ask_same_phone(),
  "same-name": () => m.import_ask_same_name(),
  "same-number": () => m.import_ask_same_number(),
  "other-age": () => m.import_ask_other_age(),
  twice: () => m.import_ask_twice(),
  "doctor-unknown": () => m.import_ask_doctor(),
  "doctor-needed": () => m.import_ask_doctor(),
  "patient-unknown": () => m.import_ask_patient_unknown(),
  "patient-unclear": () => m.import_ask_patient_unclear(),
  "time-taken": () => m.import_ask_time_taken(),
  "time-closed": () => m.import_ask_time_closed(),
  "day-full": () => m.import_ask_day_full(),
};
export const questionWord = (question: string | null): string => QUESTION_WORDS[question as Question]?.() ?? "";

/** Whether the decision is which doctor it is. */
export const isAboutDoctor = (question: string | null): boolean => question === "doctor-unknown" || question === "doctor-needed";

/** The decision is which time it gets. */
export const TIME_QUESTIONS = ["time-taken", "time-closed"] as const satisfies readonly Question[];
export const isAboutTime = (question: string | null): boolean => TIME_QUESTIONS.some((one) => one === question);

/** The decisions that a question allows. */
export function decisionsFor(question: string | null): readonly RowDecision[] {
  if (question === "doctor-needed") return ["doctor", "leave-out"];
  if (question === "doctor-unknown") return ["doctor", "other", "leave-out"];
  if (question === "day-full") return ["leave-out"];
  if (question === "patient-unknown" || isAboutTime(question)) return ["other", "leave-out"];
  return ["same", "other", "leave-out"];
}

export function decisionWord(decision: RowDecision, question: string | null): string {
  if (decision === "leave-out") return m.import_decide_leave_out();
  if (decision === "same") return m.import_decide_same();
  if (decision === "doctor") return m.import_decide_doctor();
  if (question === "doctor-unknown") return m.import_decide_keep_name();
  if (question === "patient-unknown") return m.import_decide_add_patient();
  if (isAboutTime(question)) return m.import_decide_next_time();
  return question === "same-phone" ? m.import_decide_other_of_phone() : m.import_decide_other();
}

/** A decision with the time that follows from it: "Next free time of that day: 11:00". */
export function decidedWord({
  decision,
  reason,
  bookAt,
}: {
  decision: RowDecision;
  reason: string | null;
  bookAt?: string | undefined;
}): string {
  const word = decisionWord(decision, reason);
  return decision === "other" && bookAt && isAboutTime(reason) ? `${word}: ${formatTime(bookAt as TimeKey)}` : word;
}

const PAST: Record<PastStatus, () => string> = {
  seen: () => m.appointments_status_completed(),
  cancelled: () => m.appointments_status_cancelled(),
  "no-show": () => m.queue_entry_no_show(),
  booked: () => m.import_past_booked(),
};
/** What a register says became of an appointment. */
export const pastStatusWord = (status: PastStatus): string => PAST[status]();

const NOTICES: Record<RowNotice, () => string> = {
  "second-phone": () => m.import_notice_second_phone(),
  "gender-unknown": () => m.import_notice_gender(),
  "blood-unknown": () => m.import_notice_blood(),
  "text-cut": () => m.import_notice_cut(),
  "payment-not-stored": () => m.import_notice_payment(),
};
export const noticeWord = (notice: string): string => NOTICES[notice as RowNotice]?.() ?? "";
