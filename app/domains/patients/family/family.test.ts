import { describe, expect, it } from "vitest";
import { RELATIONS } from "#app/lib/vocabulary.ts";
import { familyFormOn } from "./family.schema.ts";
import { ageOf, calledNames, relationWord } from "./family.ts";

describe("an age", () => {
  it("is counted from the birth date", () => {
    const born = { dateOfBirth: "2020-02-29", age: null, ageOn: null };
    expect(["2020-02-29", "2021-02-28", "2021-03-01", "2026-11-21"].map((day) => ageOf(born, day))).toEqual([0, 0, 1, 6]);
  });
  it("grows from the day it was entered", () => {
    const entered = { dateOfBirth: null, age: 64, ageOn: "2026-11-21" };
    expect(["2026-11-21", "2027-11-20", "2027-11-21", "2031-12-01"].map((day) => ageOf(entered, day))).toEqual([64, 64, 65, 69]);
    // A clock before that day does not lower the age.
    expect(ageOf(entered, "2026-11-01")).toBe(64);
  });
});

it("offers each relation of the table, each with its own word", () => {
  expect(new Set(RELATIONS.map(relationWord)).size).toBe(RELATIONS.length);
});

it("distinguishes two members of the same name by relation or age", () => {
  const family = [
    { id: "1", name: "Arjun", relation: "son", exactAge: { count: 7, unit: "years" } },
    { id: "2", name: "Savitri Devi", relation: "mother", exactAge: { count: 64, unit: "years" } },
    { id: "3", name: "arjun ", relation: "brother", exactAge: { count: 0, unit: "years" } },
  ] as const;
  expect(calledNames([...family]).map(({ name }) => name)).toEqual([
    "Arjun (Son, 7 years)",
    "Savitri Devi",
    "arjun (Brother, under 1 year)",
  ]);
});

describe("the form", () => {
  const schema = familyFormOn("2026-11-21");
  const person = { name: "  Savitri   Devi ", relation: "mother", gender: "Female", age: "64" };
  const faultsOf = (over: Record<string, string | undefined>) => {
    const { error } = schema.safeParse({ ...person, ...over });
    return error?.issues.map((issue) => [issue.path.join("."), issue.message]);
  };
  it("accepts an age or a birth date, and names in any script", () => {
    expect(schema.parse(person)).toMatchObject({ name: "Savitri Devi", gender: "female", age: 64 });
    expect(schema.parse({ ...person, age: "", dateOfBirth: "1962-01-01" })).toMatchObject({ dateOfBirth: "1962-01-01" });
    // A birth date makes the typed age irrelevant.
    expect(schema.parse({ ...person, age: "0", dateOfBirth: "2026-06-01" })).toMatchObject({ dateOfBirth: "2026-06-01" });
  });
  it("reports missing and invalid fields", () => {
    expect(faultsOf({ name: " " })).toEqual([["name", "Enter the name."]]);
    expect(faultsOf({ name: "x".repeat(121) })).toEqual([["name", "This name is too long. Shorten it."]]);
    expect(faultsOf({ relation: "" })).toEqual([["relation", "Choose their relation to you."]]);
    expect(faultsOf({ gender: undefined })).toEqual([["gender", "Choose the gender."]]);
    expect(faultsOf({ age: "" })).toEqual([["dateOfBirth", "Enter the date of birth or the age."]]);
    for (const age of ["0", "121", "-1", "six", "1.5"])
      expect(faultsOf({ age })).toEqual([["age", "Enter an age from 1 to 120. For a child under 1 year, enter the date of birth."]]);
    for (const dateOfBirth of ["2026-11-22", "2026-02-30", "1899-01-01"])
      expect(faultsOf({ dateOfBirth })).toEqual([["dateOfBirth", "Choose a valid date of birth, not later than today."]]);
  });
});
