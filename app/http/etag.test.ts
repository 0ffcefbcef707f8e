import { expect, it } from "vitest";
import { etagOf, isUnchanged } from "./etag.ts";

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b","a"', true],
  ["*", true],
  ['"b"', false],
  ['"ab"', false],
  ["a", false],
  ["", false],
  [null, false],
])("%s and an ETag of a: unchanged is %s", (header, expected) => {
  expect(isUnchanged(header, 'W/"a"')).toBe(expected);
  expect(isUnchanged(header, '"a"')).toBe(expected);
});

it("gives equal texts equal ETags", () => {
  expect(etagOf("a")).toBe(etagOf(Buffer.from("a")));
  expect(etagOf("a")).not.toBe(etagOf("b"));
  expect(etagOf("a")).toMatch(/^W\/"[\w-]{27}"$/);
});
