import { expect, it } from "vitest";
import { paise } from "#app/lib/money.ts";
import { paymentLink, upiLink } from "./payment-options.ts";

const settings = { linkTemplate: undefined, upiVpa: "nadi@bank", upiName: "Nadi Health" };
const due = { reference: "ND-7K3M-Q2XA", fee: paise(49_900), note: "Visit to Dr. Anjali Vemuri on 22 Nov 2026 at 10:30 AM in Vijayawada" };

it("writes the UPI link, with the note cut at 50 characters", () => {
  const link = upiLink(settings, due);
  expect(link).toBe(
    "upi://pay?pa=nadi@bank&pn=Nadi%20Health&am=499.00&cu=INR&tr=ND-7K3M-Q2XA&tn=Visit%20to%20Dr.%20Anjali%20Vemuri%20on%2022%20Nov%202026%20at%2010%3A30",
  );
  expect(new URL(link).searchParams.get("tn")).toHaveLength(50);
});
it("fills the payment link, and returns none without a template", () => {
  expect(paymentLink(settings, due)).toBeNull();
  expect(paymentLink({ ...settings, linkTemplate: "https://pay.example/{reference}?amount={amount}" }, due)).toBe(
    "https://pay.example/ND-7K3M-Q2XA?amount=499.00",
  );
});
