import { parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, it } from "vitest";
import { EDIT_CATEGORIES } from "#app/domains/directory/doctors/edit-categories.ts";
import { DecideChangeSchema, profileFormOn } from "./profile.schema.ts";

const TODAY = "2026-11-22";
const whole = {
  version: "2026-11-22T05:00:00.000Z",
  fullName: "Dr. Asha Rani",
  primarySpecialization: "Cardiologist",
  additionalSpecializations: "",
  category: "Pulmonology",
  experienceYears: "12",
  consultationFee: "₹1,200.50",
  about: "Hearts of all ages.",
  gender: "female",
  dateOfBirth: "1985-03-14",
  languages: "Telugu, English,Telugu",
  councilName: "Andhra Pradesh Medical Council",
  councilNumber: "APMC/123",
  councilYear: "2010",
};
/** The fields that the form of the page sends. */
function parse(changes: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...whole, ...changes })) form.append(name, value);
  const submission = parseWithZod(form, { schema: profileFormOn(TODAY) });
  return submission.status === "success" ? { value: submission.value } : { errors: submission.error ?? {} };
}

it("reads a complete form", () => {
  expect(parse({}).value).toEqual({
    version: "2026-11-22T05:00:00.000Z",
    fullName: "Dr. Asha Rani",
    primarySpecialization: "Cardiologist",
    category: "Pulmonary",
    experienceYears: 12,
    consultationFee: 1200.5,
    about: "Hearts of all ages.",
    gender: "female",
    dateOfBirth: "1985-03-14",
    languages: ["Telugu", "English"],
    councilName: "Andhra Pradesh Medical Council",
    councilNumber: "APMC/123",
    councilYear: 2010,
  });
  expect(parse({ languages: "" }).value?.languages).toEqual([]);
});

it("has the categories of spec 000 §5, stored under the names of the directory", () => {
  const names = ["General", "Cardiology", "Dentistry", "Pulmonology", "Neurology", "Gastroenterology", "Laboratory", "Vaccination"];
  expect(EDIT_CATEGORIES.map((c) => c.name)).toEqual(names);
  expect(parse({ category: "Gastroenterology" }).value?.category).toBe("Gastroen");
});

describe("rules (spec 000 §5)", () => {
  it.each<[Record<string, string>, Record<string, string[]>]>([
    [{ fullName: "  " }, { fullName: ["Full name is required"] }],
    [{ consultationFee: "" }, { consultationFee: ["Consultation fee is required"] }],
    [{ consultationFee: "free" }, { consultationFee: ["Please enter the fee in rupees, for example 500"] }],
    [{ consultationFee: "-1" }, { consultationFee: ["The consultation fee cannot be less than 0"] }],
    [{ about: " " }, { about: ["Please provide information in the About section"] }],
    [{ experienceYears: "-2" }, { experienceYears: ["Please enter a number of years from 0 to 70"] }],
    [{ experienceYears: "ten" }, { experienceYears: ["Please enter a number of years from 0 to 70"] }],
    [{ category: "Astrology" }, { category: ["Please choose a category from the list"] }],
    [{ gender: "unknown" }, { gender: ["Gender is required"] }],
    [{ dateOfBirth: "2026-12-01" }, { dateOfBirth: ["Please enter a valid date of birth"] }],
    [{ councilYear: "1980" }, { councilYear: ["The year of registration must be after the year of birth"] }],
    [
      { hospitalName: "Lotus Clinic" },
      { hospitalAddress: ["Please fill in all hospital details"], contactNumber: ["Please fill in all hospital details"] },
    ],
    [
      { fullName: "", contactNumber: "0863 223 4567" },
      {
        fullName: ["Full name is required"],
        hospitalName: ["Please fill in all hospital details"],
        hospitalAddress: ["Please fill in all hospital details"],
      },
    ],
    [{ nameInTelugu: "Asha" }, { nameInTelugu: ["Write this name in Telugu letters."] }],
    [{ nameInTelugu: "ఆశా 108" }, { nameInTelugu: ["Write this name in Telugu letters."] }],
    [{ nameInTelugu: "..." }, { nameInTelugu: ["Write this name in Telugu letters."] }],
    [{ nameInTelugu: "ఆ".repeat(121) }, { nameInTelugu: ["This text is too long."] }],
    [{ nameInHindi: "ఆశా" }, { nameInHindi: ["Write this name in Hindi letters."] }],
    [{ nameInHindi: "आशा<b>" }, { nameInHindi: ["Write this name in Hindi letters."] }],
    [{ accountNumber: "12" }, { accountNumber: ["The account number must have 9 to 18 digits"] }],
    [{ ifscCode: "SBI" }, { ifscCode: ["Enter the IFSC code in this form: HDFC0001234"] }],
  ])("%j", (changes, errors) => expect(parse(changes).errors).toEqual(errors));

  it("accepts a name in the letters of its script, with joiners and punctuation of names, and none", () => {
    const names = { nameInTelugu: " డా. ఎన్‌.టి. రామ్‌-ప్రసాద్ ", nameInHindi: "डॉ. आशा डि'सूज़ा" };
    expect(parse(names).value).toMatchObject({ ...names, nameInTelugu: names.nameInTelugu.trim() });
    expect(parse({ nameInTelugu: " ", nameInHindi: "" }).value).toEqual(parse({}).value);
  });
  it("accepts a fee of zero and no experience", () => {
    expect(parse({ consultationFee: "0", experienceYears: "0" }).value).toMatchObject({ consultationFee: 0, experienceYears: 0 });
  });
});

it("requires a reason from an administrator only to refuse", () => {
  const parsed = (intent: string, reason?: string) => DecideChangeSchema.safeParse({ intent, reason });
  expect(parsed("approve").success).toBe(true);
  expect(parsed("refuse", "  ").error?.issues[0]?.message).toBe("Tell the doctor why you refuse the change.");
  expect(parsed("refuse", "The cheque is cut off.").success).toBe(true);
});
