/**
 * Demo doctors with an application in progress, so that the reviewer and admin pages are not empty. Names, numbers and documents
 * are invented; phone numbers as in people.ts.
 */

import type { Gender, RegistrationStatus } from "#app/lib/vocabulary.ts";
import { demoPhone } from "./people.ts";

export type DemoCase = {
  fullName: string;
  phone: string;
  email: string;
  status: RegistrationStatus;
  gender: Gender;
  category: string;
  primarySpecialization: string;
  experienceYears: number;
  fee: number;
  /** A hospital of people.ts, or PROPOSED_HOSPITAL. */
  hospital: string | null;
  degree: string;
  college: string;
  languages: string[];
  about: string;
  /** Hours since the application was submitted. */
  age: number;
};

let row = 600;
const person = (fullName: string, rest: Omit<DemoCase, "fullName" | "phone" | "email">): DemoCase => ({
  fullName,
  phone: demoPhone(++row),
  email: `${fullName
    .toLowerCase()
    .replace(/^dr\. /, "")
    .replace(/[^a-z]+/g, ".")}@demo.test`,
  ...rest,
});

/** Entered by a doctor, not confirmed: similar to an existing hospital. */
export const PROPOSED_HOSPITAL = {
  name: "Prakasam Trauma and Bone Care",
  address: "Benz Circle service road, Vijayawada 520010",
  city: "Vijayawada",
  state: "Andhra Pradesh",
  phone: demoPhone(190),
};

const OURS = "Krishna Heart Centre";
export const CASES: DemoCase[] = [
  person("Dr. Ravi Teja Mandava", {
    status: "under review by hospital",
    gender: "male",
    category: "Cardiology",
    primarySpecialization: "Cardiologist",
    experienceYears: 9,
    fee: 450,
    hospital: OURS,
    degree: "DM (Cardiology)",
    college: "Siddhartha Medical College, Vijayawada",
    languages: ["Telugu", "English"],
    about: "Heart failure, blood pressure and care after an operation.",
    age: 76,
  }),
  person("Dr. Hemalatha Uppalapati", {
    status: "under review by hospital",
    gender: "female",
    category: "Pulmonary",
    primarySpecialization: "Pulmonologist",
    experienceYears: 6,
    fee: 400,
    hospital: OURS,
    degree: "MD (Respiratory Medicine)",
    college: "Andhra Medical College, Visakhapatnam",
    languages: ["Telugu", "Hindi", "English"],
    about: "Asthma, cough that does not go, and breathing tests.",
    age: 7,
  }),
  person("Dr. Lalitha Kumari Boyapati", {
    status: "under review by hospital",
    gender: "female",
    category: "General",
    primarySpecialization: "Orthopedic",
    experienceYears: 11,
    fee: 500,
    hospital: PROPOSED_HOSPITAL.name,
    degree: "MS (Orthopaedics)",
    college: "Guntur Medical College",
    languages: ["Telugu", "English"],
    about: "Fractures, knees and backs.",
    age: 30,
  }),
  person("Dr. Naveen Chandra Gottipati", {
    status: "pending admin approval",
    gender: "male",
    category: "General",
    primarySpecialization: "General Physician",
    experienceYears: 13,
    fee: 350,
    hospital: OURS,
    degree: "MD (General Medicine)",
    college: "Kurnool Medical College",
    languages: ["Telugu", "Hindi", "English"],
    about: "Sugar, blood pressure, thyroid and fevers.",
    age: 98,
  }),
  person("Dr. Sirisha Maddineni", {
    status: "rejected",
    gender: "female",
    category: "Cardiology",
    primarySpecialization: "Cardiologist",
    experienceYears: 4,
    fee: 400,
    hospital: OURS,
    degree: "MD (General Medicine), DNB (Cardiology)",
    college: "NTR University of Health Sciences",
    languages: ["Telugu", "English"],
    about: "Echo, treadmill tests and heart checks for women.",
    age: 150,
  }),
  person("Dr. Kiran Babu Pasupuleti", {
    status: "draft",
    gender: "male",
    category: "General",
    primarySpecialization: "",
    experienceYears: 0,
    fee: 0,
    hospital: null,
    degree: "",
    college: "",
    languages: [],
    about: "",
    age: 0,
  }),
  person("Dr. Venkat Rao Jasti", {
    status: "suspended",
    gender: "male",
    category: "Gastroen",
    primarySpecialization: "Gastroenterologist",
    experienceYears: 19,
    fee: 550,
    hospital: "Sri Durga General Hospital",
    degree: "DM (Gastroenterology)",
    college: "Osmania Medical College, Hyderabad",
    languages: ["Telugu", "Hindi", "English"],
    about: "Stomach, liver and endoscopy.",
    age: 900,
  }),
];

/** Upcoming visits of the suspended doctor. A suspension does not cancel visits. */
export const SUSPENDED_VISITS = [
  { patient: "Sowjanya Bandaru", inDays: 2, time: "10:30", status: "accepted", reason: "Stomach pain after meals" },
  { patient: "Yakub Pasha Syed", inDays: 5, time: "11:00", status: "pending", reason: "Endoscopy report" },
] as const;
