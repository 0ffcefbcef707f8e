import { describe, expect, it } from "vitest";
import { DANGER_FORMS, HARMLESS_FORMS } from "../../../../tests/factories/danger-phrases.ts";
import { findRedFlag } from "./red-flags.ts";

describe("verb forms of danger", () => {
  it("are at least 300 different phrases, and as many harmless ones", () => {
    expect(new Set(DANGER_FORMS).size).toBeGreaterThanOrEqual(300);
    expect(new Set(HARMLESS_FORMS).size).toBeGreaterThanOrEqual(300);
  });
  it("all alarm", () => expect(DANGER_FORMS.filter((phrase) => findRedFlag(phrase) === null)).toEqual([]));
  it("harmless phrases with their words do not", () => expect(HARMLESS_FORMS.filter((phrase) => findRedFlag(phrase) !== null)).toEqual([]));
  it.each(["నేను చనిపోవాలనుకుంటున్నాను", "main marna chahta hu", "chanipovalanukuntunnanu"])("%s is self-harm", (phrase) =>
    expect(findRedFlag(phrase)).toEqual({ id: "self-harm" }),
  );
  it("a harmless phrase does not hide a danger in the same sentence", () => {
    for (const text of ["my phone is dying and I want to die", "ఫోన్ చచ్చిపోయింది నేను చనిపోవాలనుకుంటున్నాను", "phone mar gaya, main mar jaunga"])
      expect([text, findRedFlag(text)]).toEqual([text, { id: "self-harm" }]);
  });
  it("reads hostile repetition of their words", () => {
    for (const part of ["చనిపో ", "mar ", "जीना ", "phone is ", "ప్రాణం తీసుకో", "jaan de ", "నవ్వి నవ్వి "]) findRedFlag(part.repeat(100_000));
  });
});
