import { expect, test } from "vitest";
import { formatLsn, NEVER, parseLsn } from "./lsn.ts";

test.each(["0/0", "0/16B3748", "16/B374D848", "FFFFFFFF/FFFFFFFF"])("reads and writes %s", (text) => {
  expect(formatLsn(parseLsn(text)!)).toBe(text);
});
test("compares across the first number", () => {
  expect(parseLsn("1/0")! > parseLsn("0/FFFFFFFF")!).toBe(true);
  expect(parseLsn("FFFFFFFF/FFFFFFFF")).toBe(NEVER);
});
test.each(["", "0", "0/", "/0", "g/0", "123456789/0", "0/0/0", " 0/0", "0/0\n"])("refuses %j", (text) => {
  expect(parseLsn(text)).toBeNull();
});
