import { describe, expect, it } from "vitest";
import { RecordPaymentSchema, RefundSchema } from "./payments.schema.ts";

const record = (over: Record<string, string> = {}) =>
  RecordPaymentSchema.safeParse({ method: "cash", amount: "500", key: "12345678", ...over });

describe("a typed amount", () => {
  it.each([
    ["500", 50_000],
    ["₹1,250.50", 125_050],
    ["8.35", 835],
    ["8.3", 830],
    ["0.01", 1],
    ["౫౦౦", 50_000],
    ["100000", 10_000_000],
  ])("reads %s as %i paise", (amount, paise) => expect(record({ amount }).data?.amount).toBe(paise));
  it.each(["", "0", "0.00", "-5", "8.355", "1e3", "abc", "100000.01", "9".repeat(30)])("refuses %j", (amount) =>
    expect(record({ amount }).success).toBe(false),
  );
});

describe("the reference of a UPI payment", () => {
  it("is stored without spaces, and only for UPI", () => {
    expect(record({ method: "upi", reference: " 6327 1140 8817 " }).data?.reference).toBe("632711408817");
    expect(record({ reference: "632711408817" }).data?.reference).toBeNull();
    expect(record({ method: "upi", reference: "" }).data?.reference).toBeNull();
  });
  it.each(["12345", "<b>632711</b>", "6".repeat(36)])("refuses %s", (reference) =>
    expect(record({ method: "upi", reference }).success).toBe(false),
  );
});

it("refuses an unknown method, and a refund without a reason", () => {
  expect(record({ method: "card" }).success).toBe(false);
  expect(RefundSchema.safeParse({ method: "cash", amount: "1", key: "12345678" }).success).toBe(false);
});
