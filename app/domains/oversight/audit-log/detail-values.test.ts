import { expect, it } from "vitest";
import { patients } from "#app/db/schema/index.ts";
import { auditedNames, policyOf } from "#app/db/schema/policy.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { detailValue } from "./detail-values.ts";

it.each([
  ["from", "under review by hospital", "Under review by hospital"],
  ["from", "2026-11-22", "22 Nov 2026"],
  ["to", "an***@clinic.test", "an***@clinic.test"],
  ["kind", "identityDocument", "Identity document, Aadhaar"],
  ["language", "te", "Telugu"],
  ["email", true, "Yes"],
  ["sms", false, "No"],
  ["number", "pan", "PAN"],
  ["field", "bank", "Bank account"],
  ["method", "clinic", "Pay at the clinic"],
  ["mission", "profile", "Complete your profile"],
  ["discount", 10000, "₹100"],
  ["time", "10:30", "10:30 AM"],
  ["changed", "name, pinCode, somethingOfOld", "Name, PIN code, somethingOfOld"],
  ["changed", 3, "3"],
  ["reason", "abuse", "It is insulting or threatening"],
  ["reason", "He asked for it.", "He asked for it."],
  ["appointments", ["0192a0c4-0000-4000-8000-00000000000a", "0192a0c4-0000-4000-8000-00000000000b"], "2"],
  ["before", null, "–"],
  ["of old", { a: 1 }, '{"a":1}'],
])("%s: %s reads %s", (key, value, sentence) => expect(detailValue(key, value)).toBe(sentence));
it("in the language of the reader", () => {
  expect(withLanguage("te", () => [detailValue("language", "en"), detailValue("email", true)])).toEqual(["ఇంగ్లీష్", "అవును"]);
});
it("names every column that a patient may change in the profile", () => {
  const unnamed = Object.entries(policyOf(patients).columns).filter(([, { emptied, label }]) => emptied && !label);
  // The city has no audit row; the last is set by a clinic.
  expect(unnamed.map(([key]) => key).sort()).toEqual(["accuracy", "cityId", "latitude", "longitude", "placeSource", "unclaimedSince"]);
  expect(detailValue("changed", auditedNames(patients, ["name", "photoFileId", "noAllergiesOn"]))).toBe("Name, Profile image, Allergies");
});
