import { expect, it } from "vitest";
import { readCookie, writeCookie } from "./cookies.server.ts";

it.each([
  ["a=1", "1"],
  ["b=2; a=1", "1"],
  ["b=2;a=1 ", "1"],
  ["a=1; a=2", "1"],
  ["a=%E0%B0%A8", "న"],
  ["a=x=y", "x=y"],
  ["a=", ""],
  ["a=%zz", null],
  ["aa=1", null],
  ["b=a=1", null],
  ['b="x; a=1"', '1"'],
  ["a", null],
  ["", null],
  [undefined, null],
])("reads %s", (header, value) => expect(readCookie(header, "a")).toBe(value));

it("writes a cookie for the whole site that scripts cannot read", () => {
  expect(writeCookie("a", "x; y", 60)).toBe("a=x%3B%20y; Max-Age=60; Path=/; HttpOnly; SameSite=Lax");
  expect(writeCookie("a", "")).toBe("a=; Path=/; HttpOnly; SameSite=Lax");
  expect(writeCookie("a", "", 0)).toContain("Max-Age=0");
});
