import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameKey, PENICILLINS, SYNONYMS, sharesName } from "./medicine-names.ts";

const LIST = readFileSync(new URL("../../../../public/medicines.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

describe("names of medicines", () => {
  it.each([
    ["Amoxicillin", "AMOXICILLIN"],
    ["amoxicillin, rash", "Amoxycillin 500 mg"],
    ["Amoxycillin", "Amoxicillin + clavulanic acid"],
    ["clavulanic acid", "AMOXICILLIN+CLAVULANIC ACID"],
    ["Amoxicillin", "Amoxicillin/Clavulanate"],
    ["Allergic to ibuprofen & aspirin", "Ibuprofen tablet"],
    ["Aspirin", "Acetylsalicylic acid"],
    ["acetyl-salicylic acid", "ASPIRIN"],
    ["Pénicilline", "Penicillin V"],
    ["Penicillin", "Amoxicillin"],
    ["penicillins (anaphylaxis 2019)", "Ampicillin"],
    ["PENICILLIN", "Piperacillin + tazobactam"],
    ["penicilin", "Benzathine benzylpenicillin"],
    ["Cloxacillin", "Penicillin"],
    ["benzyl penicillin", "Benzylpenicillin"],
    ["Cephalexin", "Cefalexin"],
    ["Cyclosporin", "Ciclosporine"],
    ["Acyclovir", "Aciclovir 400"],
    ["Sulphasalazine", "Sulfasalazine"],
    ["Co-trimoxazole", "Trimethoprim + sulfamethoxazole"],
    ["sulfamethoxazole", "Cotrimoxazole DS"],
    ["lidocaine", "Lignocaine"],
    ["Frusemide", "Furosemide"],
    ["metoprolol", "Metoprolol succinate"],
    ["Para-cetamol", "Paracetamol"],
    ["\u200bParacetamol", "PARACETAMOL"],
    ["Iodine", "Povidone iodine"],
    ["Augmentin", "Augmentin 625 Duo"],
    ["Vitamin B 12", "Cyanocobalamin"],
  ])("shares a name: %s and %s", (allergy, medicine) => {
    expect(sharesName(allergy, medicine)).toBe(true);
    expect(sharesName(medicine, allergy)).toBe(true);
  });
  it.each([
    ["Ampicillin", "Amoxicillin"],
    ["Penicillin", "Cefixime"],
    ["Salicylic acid", "Folic acid"],
    ["Salicylic acid", "Acetylsalicylic acid"],
    ["Diclofenac sodium", "Sodium valproate"],
    ["rash after a 500 mg tablet", "Paracetamol 500 mg tablet"],
    ["Vitamin A", "Vitamin K1"],
    ["Metoprolol succinate", "Sumatriptan succinate"],
    ["Peanuts, dust and pollen", "Paracetamol"],
    ["", "Paracetamol"],
    ["Prednisone", "Prednisolone"],
  ])("does not share a name: %s and %s", (allergy, medicine) => {
    expect(sharesName(allergy, medicine)).toBe(false);
    expect(sharesName(medicine, allergy)).toBe(false);
  });
  it("finds each medicine of the list in any case, with any punctuation and other words around it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LIST),
        fc.boolean(),
        fc.constantFrom("", " ", ".", ", rash in 2020", " (severe)", " 500 mg"),
        fc.constantFrom("", "Allergic to ", "tab. ", "• "),
        (name, upper, after, before) => {
          expect(sharesName(before + (upper ? name.toUpperCase() : name.toLowerCase()) + after, name)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
  it("finds a medicine of the list that is written with other spaces, or with y for i", () => {
    for (const name of LIST) {
      expect(sharesName(name.replaceAll(" ", "-"), name), name).toBe(true);
      expect(sharesName(name.replaceAll("i", "y"), name), name).toBe(true);
    }
  });
  it("never fails, and is the same in both directions", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        expect(sharesName(a, b)).toBe(sharesName(b, a));
      }),
    );
  });
  it("keeps different medicines of the list apart", () => {
    const known = new Map<string, string>();
    for (const name of LIST) {
      expect(known.get(nameKey(name))).toBeUndefined();
      known.set(nameKey(name), name);
    }
  });
  it("knows the penicillins of the list, all of them, and second names of its medicines only", () => {
    const parts = LIST.flatMap((name) => name.split(" + "));
    expect(
      parts
        .filter((name) => /cillin$/.test(name))
        .filter((name, i, all) => all.indexOf(name) === i)
        .sort(),
    ).toEqual([...PENICILLINS].sort());
    for (const [name] of SYNONYMS) expect(LIST).toContain(name);
  });
});
