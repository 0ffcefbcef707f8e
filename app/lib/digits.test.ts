import { describe, expect, it } from "vitest";
import { PatientDetailSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { addDaySchema } from "#app/domains/booking/availability/availability.schema.ts";
import { maskedNumber } from "#app/domains/credentials/application/draft.ts";
import { BankStepSchema, professionalStepOn } from "#app/domains/credentials/application/verification.schema.ts";
import { HospitalSchema } from "#app/domains/credentials/hospitals/hospitals.schema.ts";
import { familyFormOn } from "#app/domains/patients/family/family.schema.ts";
import { profileFormOn } from "#app/domains/patients/profile/profile.schema.ts";
import { PatientLoginSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { parseTime } from "./dates.ts";
import { plainDigits } from "./digits.ts";
import { normalisePhone } from "./phone.ts";

const TELUGU = "౦౧౨౩౪౫౬౭౮౯";
const HINDI = "०१२३४५६७८९";
const SCRIPTS = { Telugu: TELUGU, Hindi: HINDI };

it.each([TELUGU, HINDI, "0123456789"])("%s", (typed) => expect(plainDigits(typed)).toBe("0123456789"));
it("leaves other characters unchanged", () => {
  const text = "నాడి नाड़ी ౿ ॐ । ॥ ॰ Nadi ١٢٣ ৪";
  expect(plainDigits(text)).toBe(text);
});

describe.each(Object.entries(SCRIPTS))("typed in %s digits", (_, script) => {
  const typed = (plain: string) => plain.replace(/\d/g, (digit) => script[Number(digit)] as string);
  it("a phone", () => expect(normalisePhone(typed("+91 98765-43210"))).toBe("+919876543210"));
  it("a phone and a one-time code at login", () => {
    expect(PatientLoginSchema.parse({ intent: "send", phoneNumber: typed("98765 43210") })).toMatchObject({ phoneNumber: "+919876543210" });
    expect(PatientLoginSchema.parse({ intent: "verify", otp: typed("123 456") })).toMatchObject({ otp: "123456" });
  });
  it("the patient of a booking", () => {
    const input = { name: "Sita", phone: typed("9876543210"), age: typed("34"), gender: "female" };
    expect(PatientDetailSchema.parse(input)).toMatchObject({ phone: "+919876543210", age: 34 });
    expect(PatientDetailSchema.safeParse({ ...input, phone: typed("987654321") }).success).toBe(false);
  });
  it("ages and birth dates, typed without a date field", () => {
    const person = { name: "Ravi", relation: "son", gender: "male" };
    expect(familyFormOn("2026-11-22").parse({ ...person, age: typed("7") })).toMatchObject({ age: 7 });
    expect(familyFormOn("2026-11-22").parse({ ...person, dateOfBirth: typed("2019-02-03") })).toMatchObject({ dateOfBirth: "2019-02-03" });
    expect(profileFormOn("2026-11-22").parse({ name: "Ravi", dateOfBirth: typed("1990-01-02") })).toMatchObject({
      dateOfBirth: "1990-01-02",
    });
  });
  it("days and times", () => {
    const day = { date: typed("2026-11-23"), slots: [typed("10:30")] };
    expect(addDaySchema("2026-11-22").parse(day)).toEqual({ date: "2026-11-23", slots: ["10:30"] });
    expect(parseTime(typed("5:30 PM"))).toBe("17:30");
  });
  it("a PIN code and a telephone of a hospital", () => {
    const shape = HospitalSchema.shape;
    expect(shape.pinCode.parse(typed("520 010"))).toBe("520010");
    expect(shape.phone.parse(typed("0866 247 4301"))).toBe("+918662474301");
    expect(shape.phone.parse(typed("1800 425 1234"))).toBe("1800 425 1234");
  });
  it("amounts, years and numbers of an application", () => {
    const { shape } = professionalStepOn("2026-11-22");
    expect(shape.consultationFee.parse(typed("₹1,200.50"))).toBe(1200.5);
    expect(shape.dateOfBirth.parse(typed("1980-05-06"))).toBe("1980-05-06");
    expect(shape.experienceYears.parse(typed("12"))).toBe(12);
    expect(shape.yearOfRegistration.parse(typed("2005"))).toBe(2005);
    expect(shape.aadhaarNumber.parse(typed("2345 6789 0124"))).toBe("234567890124");
    expect(shape.panNumber.parse(typed("abcde1234f"))).toBe("ABCDE1234F");
    expect(BankStepSchema.shape.accountNumber.parse(typed("12345 678901"))).toBe("12345678901");
    expect(BankStepSchema.shape.ifscCode.parse(typed("sbin0001234"))).toBe("SBIN0001234");
    // Masking must cover digits of every script.
    expect(maskedNumber("aadhaarNumber", typed("234567890124"))).toBe("•••• 0124");
  });
});
