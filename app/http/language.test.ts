import { describe, expect, test } from "vitest";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import { acceptedLanguage, languageInAddress } from "./language.server.ts";

describe("Accept-Language", () => {
  test.each([
    ["te-IN,te;q=0.9,en;q=0.8", "te"],
    ["hi", "hi"],
    ["HI-in", "hi"],
    ["en-IN,en;q=0.9,hi;q=0.8", "en"],
    ["en;q=0.2, hi ; q=0.7 , te;q=0.5", "hi"],
    ["ta-IN,ta;q=0.9,te;q=0.3", "te"],
    ["te;q=0,hi;q=0.1", "hi"],
    // The first of two with equal weight.
    ["te,hi", "te"],
    ["*", "en"],
    ["ta,*;q=0.5,hi;q=0.4", "en"],
    // Another language with the same prefix.
    ["tel", null],
    ["ta-IN,fr", null],
    ["te;q=2", null],
    ["te;q=much", null],
    ["", null],
    [undefined, null],
    [`${"x,".repeat(600)}te`, null],
  ])("reads %s as %s", (header, expected) => expect(acceptedLanguage(header)).toBe(expected));
});

test.each([
  ["/doctors?lang=te", "te"],
  ["/doctors?q=a&lang=hi", "hi"],
  ["/doctors?lang=fr", null],
  ["/doctors?slang=te", null],
  ["/doctors", null],
])("reads the language of %s as %s", (url, expected) => expect(languageInAddress(url)).toBe(expected));

test("uses the language of each request, also after an await", async () => {
  const later = (chosen: "te" | "hi") =>
    withLanguage(chosen, async () => {
      await new Promise((done) => setImmediate(done));
      return language();
    });
  expect(await Promise.all([later("te"), later("hi"), withLanguage(null, async () => language())])).toEqual(["te", "hi", "en"]);
  expect(language()).toBe("en");
});
