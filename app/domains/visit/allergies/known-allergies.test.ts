import { describe, expect, it } from "vitest";
import { allergiesWord, readAllergies } from "./known-allergies.ts";

describe("what is written about allergies", () => {
  it("reads a text that says that there is none", () => {
    for (const allergies of [
      "Nil",
      "none",
      "NKDA",
      "No known allergies",
      "no known drug allergies.",
      " N/A ",
      "None known",
      "nil known allergy",
    ])
      expect(readAllergies({ allergies }), allergies).toEqual({ what: "", none: true });
    for (const allergies of ["Penicillin", "none but penicillin", "no penicillin", "Allergies not known", "no sulfa"])
      expect(readAllergies({ allergies }), allergies).toEqual({ what: allergies, none: false });
    expect(readAllergies({ allergies: " " })).toEqual({ what: "", none: false });
    expect(readAllergies({ allergies: "", noAllergies: "on" })).toEqual({ what: "", none: true });
    expect(readAllergies({ allergies: "Dust", noAllergies: "on" })).toEqual({ what: "Dust", none: false });
  });
  it("does not read as none before anyone asked", () => {
    expect(allergiesWord({ allergies: "" })).toBe("Allergies not asked yet");
    expect(allergiesWord({ allergies: "", noneKnown: { by: "Dr. Rao", on: "2026-11-27" } })).toBe(
      "No known allergies (Dr. Rao, 27 Nov 2026)",
    );
    expect(allergiesWord({ allergies: "Dust", noneKnown: null })).toBe("Dust");
  });
});
