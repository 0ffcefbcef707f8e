import { expect, it } from "vitest";
import { findFaqs } from "./faqs.ts";
import { doctorTerms, patientTerms } from "./terms.ts";

const ids = (text: string, paymentPage = false) => findFaqs("doctor", text, { paymentPage }).map((faq) => faq.id);

it("finds by question or answer, in any case (spec 000 §5)", () => {
  expect(ids("WEEKLY PATTERN")).toEqual(["times"]);
  expect(ids("how are my earnings")).toEqual(["earnings"]);
  expect(ids("  ")).toHaveLength(findFaqs("doctor", "", { paymentPage: false }).length);
  expect(ids("zebra")).toEqual([]);
  // Special characters of patterns are ordinary characters.
  expect(ids("100%_.*")).toEqual([]);
});

it("describes the payments that this server offers", () => {
  const answer = (paymentPage: boolean) => findFaqs("doctor", "pay", { paymentPage }).find((faq) => faq.id === "payment")?.answer;
  expect(answer(true)).toContain("UPI, cards, net banking and wallets");
  expect(answer(false)).not.toContain("cards");
});

it("contains the claims of the specification (spec 000 §9)", () => {
  const text = findFaqs("doctor", "", { paymentPage: true })
    .map((faq) => faq.answer)
    .join("\n");
  for (const claim of ["up to 24 hours before", "24/7", "within 2 hours"]) expect(text).toContain(claim);
});

it("has ten sections of terms", () => {
  const terms = doctorTerms();
  expect(terms.map((section) => Number.parseInt(section.title, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const text = terms.map((section) => section.text).join("\n");
  for (const part of ["laws of India", "Vijayawada, Andhra Pradesh", "the amount you paid to Nadi in the previous twelve months"])
    expect(text).toContain(part);
});

it("has five questions for patients, with the claims of spec 001 §9", () => {
  const faqs = findFaqs("patient", "", { paymentPage: true });
  expect(faqs).toHaveLength(5);
  const text = faqs.map((faq) => faq.answer).join("\n");
  for (const claim of ["up to 24 hours before", "24/7", "within 2 hours", "UPI, cards, net banking and wallets"])
    expect(text).toContain(claim);
  expect(findFaqs("patient", "FAMILY", { paymentPage: true }).map((faq) => faq.id)).toEqual(["family"]);
});

it("has ten sections of terms for patients (spec 001 §2.18)", () => {
  const terms = patientTerms();
  expect(terms.map((section) => section.id)).toEqual([
    "acceptance",
    "service",
    "duties",
    "privacy",
    "medicine",
    "liability",
    "availability",
    "ending",
    "changes",
    "law",
  ]);
  expect(terms.map((section) => Number.parseInt(section.title, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const text = terms.map((section) => section.text).join("\n");
  for (const part of ["laws of India", "Vijayawada, Andhra Pradesh", "at most the amount you paid in the previous twelve months"])
    expect(text).toContain(part);
});
