import { describe, expect, it } from "vitest";
import { chosenWayWord, paymentLine } from "./words.ts";

describe("the words of a payment", () => {
  it("names the open amount and how it is paid", () => {
    expect(paymentLine({ fee: 50_000, discount: 10_000, paymentMethod: null })).toEqual({ text: "₹400 due", open: true });
    expect(paymentLine({ fee: 50_000, discount: 0, paymentMethod: "clinic" })).toEqual({ text: "₹500 due at clinic", open: false });
    expect(paymentLine({ fee: 50_000, discount: 50_000, paymentMethod: null })).toEqual({ text: "Nothing to pay", open: false });
    expect(paymentLine({ fee: null, discount: 0, paymentMethod: null })).toEqual({ text: "", open: false });
  });
  it("confirm nothing by a choice", () => {
    const words = [null, "clinic", "upi", "link"] as const;
    expect(words.map(chosenWayWord)).toEqual([
      "Not chosen yet",
      "Pay at the clinic",
      "UPI payment not confirmed yet",
      "Online payment not confirmed yet",
    ]);
  });
});
