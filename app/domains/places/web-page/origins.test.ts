import { describe, expect, it } from "vitest";
import { readOrigin } from "./origins.ts";

describe("readOrigin", () => {
  it.each([
    ["https://clinic.example", "https://clinic.example"],
    ["clinic.example/contact?x=1", "https://clinic.example"],
    ["HTTPS://Clinic.Example:8443/", "https://clinic.example:8443"],
    ["http://localhost:4000", "http://localhost:4000"],
    ["https://నాడి.example", "https://xn--cpcn0ef.example"],
  ])("reads %s", (text, origin) => {
    expect(readOrigin(text)).toBe(origin);
  });
  it.each([
    "",
    "http://clinic.example",
    "*",
    "https://*.example",
    "*.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://clinic.example",
    "clinic",
    "https://user:word@clinic.example",
    "https://[::1]",
    "clinic.example;script-src",
    "'self'",
  ])("refuses %s", (text) => {
    expect(readOrigin(text)).toBeNull();
  });
});
