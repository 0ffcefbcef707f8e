import { expect, it } from "vitest";
import { documentNumber } from "./document-number.ts";

it("has a series for each kind, and at most 16 characters", () => {
  const of = { financialYear: "2026-27", number: 418 };
  expect(documentNumber({ kind: "invoice", ...of })).toBe("F2026-27/000418");
  expect(documentNumber({ kind: "credit-note", ...of })).toBe("C2026-27/000418");
  expect(documentNumber({ kind: "invoice", financialYear: "2099-00", number: 9_999_999 })).toHaveLength(16);
});
