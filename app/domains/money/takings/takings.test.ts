import { expect, it } from "vitest";
import { paise } from "#app/lib/money.ts";
import { takingsCsv } from "./csv.ts";
import { type Move, totalsOf } from "./takings.ts";

it("adds up a day by method, less its refunds", () => {
  const moves = [
    { method: "cash", amount: paise(50_000) },
    { method: "cash", amount: paise(30_000) },
    { method: "upi", amount: paise(45_050) },
    { method: "cash", amount: paise(-30_000) },
  ] as const;
  expect(totalsOf(moves)).toEqual({
    all: 95_050,
    notReturned: 0,
    cash: { amount: 50_000, payments: 2, refunds: 1 },
    upi: { amount: 45_050, payments: 1, refunds: 0 },
    online: { amount: 0, payments: 0, refunds: 0 },
  });
});

it("does not take off a refund that failed, and shows it in its own figure", () => {
  const totals = totalsOf([
    { method: "online", amount: paise(50_000) },
    { method: "online", amount: paise(-50_000), isFailed: true },
  ]);
  expect([totals.all, totals.online, totals.notReturned]).toEqual([50_000, { amount: 50_000, payments: 1, refunds: 0 }, 50_000]);
});

it("takes a withdrawn refund back out of the refunds of its method", () => {
  const refunded = [
    { method: "online", amount: paise(50_000) },
    { method: "online", amount: paise(-50_000) },
  ] as const;
  const withdrawn = [...refunded, { method: "online", amount: paise(50_000), isWithdrawn: true }] as const;
  expect(totalsOf(refunded).online).toEqual({ amount: 0, payments: 1, refunds: 1 });
  expect(totalsOf(withdrawn).online).toEqual({ amount: 50_000, payments: 1, refunds: 0 });
  expect(totalsOf(withdrawn).all).toBe(50_000);
});

it("writes a withdrawn refund as a negative refund, so that both columns of the CSV add up to the sums", () => {
  const move: Move = {
    id: 1,
    at: new Date("2026-11-23T04:30:00Z"),
    method: "online",
    amount: paise(50_000),
    receipt: "2026-27/1",
    paymentId: "p",
    patientName: "Asha",
    doctorName: "Dr. Rao",
    date: "2026-11-23",
  };
  const rows = takingsCsv([
    move,
    { ...move, id: 2, amount: paise(-20_050) },
    { ...move, id: 3, amount: paise(20_050), isWithdrawn: true },
    { ...move, id: 4, amount: paise(-100), isFailed: true },
  ]);
  const columns = rows
    .trim()
    .split("\r\n")
    .slice(1)
    .map((row) => row.split(",").slice(-3));
  expect(columns).toEqual([
    ["500.00", "", ""],
    ["", "200.50", ""],
    ["", "-200.50", ""],
    ["", "", "1.00"],
  ]);
});
