import { expect, it } from "vitest";
import { safePath } from "./redirects.server.ts";

it.each(["/patient/calendar", "/patient/appointments/datetime?doctorId=1&date=2026-11-22", "/a#b", "/"])("accepts %s", (path) =>
  expect(safePath(path, "/home")).toBe(path),
);
it.each([
  "//evil.example",
  "/\\evil.example",
  "\\\\evil",
  "https://evil.example",
  "javascript:alert(1)",
  "evil",
  "",
  null,
  undefined,
  "/\t/evil.example",
  "/a\nb",
  " /x",
  "/.//evil.example",
  "/%2e//evil.example",
  "/a/..//evil.example",
  "/a/%2E%2e//evil.example?q",
  "/%0d%0aSet-Cookie:x\r\n",
])("refuses %j", (path) => expect(safePath(path, "/home")).toBe("/home"));
