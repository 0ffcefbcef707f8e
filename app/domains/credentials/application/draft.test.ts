import { describe, expect, it } from "vitest";
import { bankStepOf, hospitalStepOf, maskedNumber, meantQualifications, mergedNumber, professionalStepOf, shownNumber } from "./draft.ts";

const row = (degree: string, universityCollege = "", year = "") => ({ key: degree, degree, universityCollege, year });

describe("stored numbers", () => {
  it.each([
    ["aadhaarNumber", "2345 6789 0124", "•••• 0124"],
    ["panNumber", "abcde1234f", "•••• 234F"],
    ["accountNumber", "123456789", "•••• 6789"],
  ] as const)("shows the last four digits of %s", (name, typed, masked) => {
    expect(maskedNumber(name, typed)).toBe(masked);
    expect(shownNumber(name, typed)).toBe("");
  });
  it.each([
    ["aadhaarNumber", "12345"],
    ["panNumber", "ABCD"],
    ["accountNumber", "12345678"],
  ] as const)("shows a wrong %s in full, to be corrected", (name, typed) => {
    expect(maskedNumber(name, typed)).toBeNull();
    expect(shownNumber(name, typed)).toBe(typed);
  });
  it("an empty field preserves a complete number only", () => {
    expect(mergedNumber("aadhaarNumber", "234567890124", " ")).toBe("234567890124");
    expect(mergedNumber("aadhaarNumber", "234567890124", "999988887777")).toBe("999988887777");
    expect(mergedNumber("aadhaarNumber", "12345", "")).toBe("");
    expect(mergedNumber("panNumber", undefined, "")).toBe("");
  });
});

describe("steps of the input", () => {
  it("drop empty rows, except the first", () => {
    expect(meantQualifications([row(""), row(""), row("MD"), row("", "AIIMS")])).toEqual([row(""), row("MD"), row("", "AIIMS")]);
  });
  it("are null while something is missing", () => {
    expect(hospitalStepOf(null)).toBeNull();
    expect(hospitalStepOf({ mode: "manual", hospitalId: "", hospitalName: "A", hospitalAddress: "B", contactNumber: "" })).toBeNull();
    expect(
      hospitalStepOf({ mode: "manual", hospitalId: "", hospitalName: " A  b", hospitalAddress: "B\u0000", contactNumber: "0863 223 4567" }),
    ).toEqual({ mode: "manual", hospitalName: "A b", hospitalAddress: "B", contactNumber: "0863 223 4567" });
    expect(bankStepOf({ bankName: "A", accountNumber: "1", ifscCode: "", accountHolderName: "", bankBranch: "" })).toBeNull();
    expect(professionalStepOf(null, "2026-11-21")).toBeNull();
  });
  it("validates ages and years on the given day", () => {
    const typed = {
      fullName: "A",
      gender: "Other",
      dateOfBirth: "2005-11-22",
      medicalCouncilRegistrationNumber: "1",
      medicalCouncilName: "B",
      yearOfRegistration: "2026",
      primarySpecialization: "C",
      additionalSpecializations: "",
      category: "",
      experienceYears: "0",
      consultationFee: "0",
      about: "D",
      city: "E",
      state: "F",
      aadhaarNumber: "",
      panNumber: "",
      languages: [],
      qualifications: [row("MBBS")],
    };
    expect(professionalStepOf(typed, "2026-11-21")).toBeNull();
    expect(professionalStepOf(typed, "2026-11-22")).toMatchObject({
      gender: "other",
      category: "General",
      consultationFee: 0,
      experienceYears: 0,
    });
    expect(professionalStepOf(typed, "2026-11-22")).not.toHaveProperty("aadhaarNumber", "");
  });
});
