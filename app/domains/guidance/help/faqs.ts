import { m } from "#app/paraglide/messages.js";

export type Faq = { id: string; question: string; answer: string };
export type FaqReader = "doctor" | "patient";
/** Facts that answers depend on. */
export type FaqFacts = { paymentPage: boolean };

type Entry = { id: string; for: readonly FaqReader[]; question: () => string; answer: (facts: FaqFacts) => string };

/** The questions of the help pages in order. Each answer must be true of the product. */
const ENTRIES: readonly Entry[] = [
  { id: "cancel", for: ["doctor"], question: () => m.help_cancel_q(), answer: () => m.help_cancel_a() },
  {
    id: "payment",
    for: ["doctor"],
    question: () => m.help_payment_q(),
    answer: ({ paymentPage }) => (paymentPage ? m.help_payment_a_page() : m.help_payment_a_upi()),
  },
  { id: "cancel", for: ["patient"], question: () => m.help_p_cancel_q(), answer: () => m.help_p_cancel_a() },
  {
    id: "payment",
    for: ["patient"],
    question: () => m.help_p_payment_q(),
    answer: ({ paymentPage }) => (paymentPage ? m.help_p_payment_a_page() : m.help_p_payment_a_upi()),
  },
  { id: "family", for: ["patient"], question: () => m.help_p_family_q(), answer: () => m.help_p_family_a() },
  { id: "documents", for: ["patient"], question: () => m.help_p_documents_q(), answer: () => m.help_p_documents_a() },
  { id: "support", for: ["doctor", "patient"], question: () => m.help_support_q(), answer: () => m.help_support_a() },
  { id: "times", for: ["doctor"], question: () => m.help_times_q(), answer: () => m.help_times_a() },
  { id: "visit", for: ["doctor"], question: () => m.help_visit_q(), answer: () => m.help_visit_a() },
  { id: "earnings", for: ["doctor"], question: () => m.help_earnings_q(), answer: () => m.help_earnings_a() },
  { id: "profile", for: ["doctor"], question: () => m.help_profile_q(), answer: () => m.help_profile_a() },
  { id: "records", for: ["doctor"], question: () => m.help_records_q(), answer: () => m.help_records_a() },
  { id: "password", for: ["doctor"], question: () => m.help_password_q(), answer: () => m.help_password_a() },
  { id: "emergency", for: ["doctor"], question: () => m.help_emergency_q(), answer: () => m.help_emergency_a() },
];

/** Returns the reader's questions that contain the text in question or answer, case-insensitively (spec 000 §5). */
export function findFaqs(reader: FaqReader, text: string, facts: FaqFacts): Faq[] {
  const wanted = text.trim().toLocaleLowerCase("en-IN");
  return ENTRIES.filter((entry) => entry.for.includes(reader))
    .map(({ id, question, answer }) => ({ id, question: question(), answer: answer(facts) }))
    .filter((faq) => `${faq.question}\n${faq.answer}`.toLocaleLowerCase("en-IN").includes(wanted));
}
