import { expect, it } from "vitest";
import { categoryForSymptoms } from "./symptoms.ts";

it.each([
  ["Pain in my chest", "Cardiology"],
  ["my HEART beats fast", "Cardiology"],
  ["teeth hurt when I eat", "Dentistry"],
  ["dry cough", "Pulmonary"],
  ["Asthma, since childhood", "Pulmonary"],
  ["fever for 3 days", "General"],
  ["my child does not eat", "General"],
  ["headache", "Neurology"],
  ["stomach upset", "Gastroen"],
  ["liver test", "Gastroen"],
  ["lab report", "Laboratory"],
  ["vaccination for travel", "Vaccination"],
])("%s: %s (spec 001 §9)", (text, category) => expect(categoryForSymptoms(text)).toBe(category));

it("the first of the table wins, wherever it stands", () => {
  expect(categoryForSymptoms("fever and chest trouble")).toBe("Cardiology");
  expect(categoryForSymptoms("headache with cough")).toBe("Pulmonary");
});

it("whole single words only", () => {
  for (const text of ["", "   ", "chests", "heartburn", "label", "children", "a labrador", "stomachache", "fevers", "tooth"])
    expect(categoryForSymptoms(text)).toBeNull();
  expect(categoryForSymptoms("(chest)")).toBe("Cardiology");
  expect(categoryForSymptoms("fever/cough")).toBe("Pulmonary");
});

it("reads no more than a field takes", () => expect(categoryForSymptoms(`${"x ".repeat(1_000_000)}chest`)).toBeNull());
