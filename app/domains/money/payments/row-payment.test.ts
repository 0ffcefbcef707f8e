import { expect, it } from "vitest";
import { paise } from "#app/lib/money.ts";
import { refundStateOfClinic, refundStateWord } from "../refunds/refund-words.ts";
import { rowPayment } from "./row-payment.ts";

const visit = {
  status: "accepted",
  date: "2026-11-23",
  fee: paise(50_000),
  discount: paise(0),
  received: paise(0),
  refunded: paise(0),
  corrected: paise(0),
  paymentMethod: "clinic",
  methods: [],
  since: "2026-11-01",
} as const;
const paid = { received: paise(50_000), methods: ["upi"] } as const;

it.each([
  ["before anything is recorded", {}, "₹500 due at clinic", "due"],
  ["paid", paid, "Paid ₹500 · UPI", null],
  ["while the bank confirms", { confirming: true }, "Bank confirming", "instead"],
  ["paid in two ways", { ...paid, methods: ["cash", "upi"] as const }, "Paid ₹500 · Cash, UPI", null],
  ["paid and partly refunded", { ...paid, refunded: paise(10_050) }, "Paid ₹399.50 · UPI", null],
  ["partly paid", { ...paid, received: paise(20_000) }, "₹300 still due", "due"],
  ["completed without a payment", { status: "completed" as const }, "Not paid", "due"],
  ["completed before the first recorded payment", { status: "completed" as const, date: "2026-10-31" as const }, "Not recorded", "due"],
  ["cancelled after paying", { ...paid, status: "cancelled" as const }, "Refund due: ₹500", null],
  ["cancelled too late", { ...paid, status: "cancelled" as const, refundOwed: false }, "No refund due", null],
  ["cancelled and refunded", { ...paid, status: "cancelled" as const, refunded: paise(50_000) }, "Refunded", null],
  [
    "refunded, but the provider could not return it",
    { ...paid, refunded: paise(50_000), notReturned: paise(50_000) },
    "Not returned yet: ₹500",
    null,
  ],
  ["covered by a discount", { discount: paise(50_000) }, "Nothing to pay", null],
])("%s", (_, over, text, record) => {
  expect(rowPayment({ ...visit, ...over }, "2026-11-23")).toMatchObject({ text, record });
});

it("is due from the day of the first recorded payment on, and today in any case", () => {
  const dueOn = (date: string, over = {}) => rowPayment({ ...visit, date, status: "completed", ...over }, "2026-11-23").due;
  expect(dueOn("2026-11-23")).toBe("₹500");
  expect(dueOn("2026-11-23", { since: null })).toBe("₹500");
  expect(dueOn("2026-11-22")).toBe("₹500");
  expect(dueOn("2026-10-31")).toBe(null);
  expect(dueOn("2026-11-22", { since: null })).toBe(null);
  expect(dueOn("2026-11-23", paid)).toBe(null);
  expect(dueOn("2026-11-23", { confirming: true })).toBe(null);
});

it("names the patient's bank on the copy of the clinic, and the reader's own on that of the patient", () => {
  const at = new Date("2026-11-23T10:00:00Z");
  const refund = {
    id: "r",
    amount: paise(50_000),
    platformFee: paise(0),
    state: "processed",
    attempt: 1,
    at,
    settledAt: at,
    reference: "RRN1",
  } as const;
  expect(refundStateOfClinic(refund)).toContain("was sent to the patient’s bank on");
  expect(refundStateWord(refund)).toContain("was sent to your bank on");
});
