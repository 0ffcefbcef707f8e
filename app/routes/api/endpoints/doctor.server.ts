import { z } from "zod";
import { listOwnDocuments } from "#app/domains/credentials/application/documents.server.ts";
import type { OwnDocument } from "#app/domains/credentials/application/draft.ts";
import { masked } from "#app/domains/credentials/cases/components/case-facts.tsx";
import { getOwnProfile, type OwnProfile } from "#app/domains/credentials/profile-changes/own-profile.server.ts";
import { profileFormOn } from "#app/domains/credentials/profile-changes/profile.schema.ts";
import { maskedAccount } from "#app/domains/credentials/profile-changes/profile-words.ts";
import { saveProfile } from "#app/domains/credentials/profile-changes/save-profile.server.ts";
import { categoryName } from "#app/domains/directory/doctors/edit-categories.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { ApiProofSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { storeImage } from "#app/domains/platform/files/store-image.server.ts";
import { MAX_IMAGE_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { getDoctorStats } from "#app/domains/practice/statistics/queries.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { proveCall } from "#app/http/api/prove-call.server.ts";
import { validate } from "#app/http/submit-json.server.ts";
import { monthShort, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import {
  Day,
  Done,
  done,
  filePath,
  HospitalInfo,
  Id,
  Place,
  Qualification,
  RegistrationStatus,
  Rupees,
  rupees,
  Sex,
  sexOf,
} from "./wire.ts";

const group = "The doctor's own profile and figures";

const Profile = z.object({
  _id: Id,
  id: Id,
  doctorId: Id,
  fullName: z.string(),
  nameInTelugu: z.string().meta({ description: "Shown to patients who read Telugu. Empty if not given." }),
  nameInHindi: z.string().meta({ description: "Shown to patients who read Hindi. Empty if not given." }),
  profileImage: z.string().nullable(),
  primarySpecialization: z.string(),
  specialization: z.string(),
  additionalSpecializations: z.string(),
  category: z.string(),
  experienceYears: z.number(),
  consultationFee: Rupees,
  about: z.string(),
  verified: z.boolean(),
  registrationStatus: RegistrationStatus,
  gender: Sex.nullable(),
  dateOfBirth: Day.nullable(),
  medicalCouncilRegistrationNumber: z.string().nullable(),
  medicalCouncilName: z.string().nullable(),
  yearOfRegistration: z.number().nullable(),
  aadhaarNumber: z.string().nullable().meta({ description: "The last four digits." }),
  panNumber: z.string().nullable().meta({ description: "The last four characters." }),
  identityDocument: z.string().nullable(),
  medicalCouncilCertificate: z.string().nullable(),
  qualificationCertificates: z.array(z.string()),
  location: Place,
  languages: z.array(z.string()),
  qualifications: z.array(Qualification),
  hospitalInfo: z.array(HospitalInfo.extend({ hospitalId: Id })),
  bankingInfo: z.array(
    z.object({
      bankName: z.string(),
      bankBranch: z.string(),
      accountHolderName: z.string(),
      accountNumber: z.string().meta({ description: "The last four digits." }),
      ifscCode: z.string(),
    }),
  ),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  isDemo: z.boolean(),
});

function profileOf(p: OwnProfile, documents: readonly OwnDocument[], origin: string): z.input<typeof Profile> {
  const one = (kind: OwnDocument["kind"]) => {
    const document = documents.find((d) => d.kind === kind);
    return document ? origin + filePath(document.fileId) : null;
  };
  return {
    _id: p.id,
    id: p.id,
    doctorId: p.id,
    fullName: p.name,
    nameInTelugu: p.nameInTelugu,
    nameInHindi: p.nameInHindi,
    profileImage: p.photo && origin + photoPath(p.photo),
    primarySpecialization: p.specialization,
    specialization: p.specialization,
    additionalSpecializations: p.additionalSpecializations,
    category: categoryName(p.category),
    experienceYears: p.experienceYears,
    consultationFee: rupees(p.fee),
    about: p.about,
    verified: p.status === "verified",
    registrationStatus: p.status,
    gender: sexOf(p.gender),
    dateOfBirth: p.dateOfBirth,
    medicalCouncilRegistrationNumber: p.councilNumber,
    medicalCouncilName: p.councilName,
    yearOfRegistration: p.councilYear,
    aadhaarNumber: p.aadhaarLast4 && masked("aadhaar", p.aadhaarLast4),
    panNumber: p.panLast4 && masked("pan", p.panLast4),
    identityDocument: one("identityDocument"),
    medicalCouncilCertificate: one("medicalCouncilCertificate"),
    qualificationCertificates: documents.filter((d) => d.kind === "qualificationCertificates").map((d) => origin + filePath(d.fileId)),
    location: { city: p.city, state: p.state },
    languages: p.languages,
    qualifications: p.qualifications,
    hospitalInfo: p.hospital
      ? [
          {
            hospitalId: p.hospital.id,
            hospitalName: p.hospital.name,
            hospitalAddress: p.hospital.address,
            contactNumber: p.hospital.phone ? formatPhone(p.hospital.phone) : "",
          },
        ]
      : [],
    bankingInfo: p.bank
      ? [
          {
            bankName: p.bank.bankName,
            bankBranch: p.bank.bankBranch,
            accountHolderName: p.bank.accountHolderName,
            accountNumber: maskedAccount(p.bank.accountLast4),
            ifscCode: p.bank.ifscCode,
          },
        ]
      : [],
    email: p.email,
    phone: p.phone,
    isDemo: p.isDemo,
  };
}

const sentences = { noToken: () => m.profile_not_authenticated(), badToken: () => m.profile_session_expired() };

export const getProfile = endpoint({
  method: "GET",
  path: "/api/doctor/profile",
  group,
  summary: "Returns the whole profile of the doctor.",
  about: "Returns only the last four characters of identity and account numbers.",
  who: ["doctor"],
  verified: true,
  answer: Profile,
  sentences: { ...sentences, failed: () => m.profile_fetch_failed() },
  async run({ ctx, origin }) {
    const [profile, documents] = await Promise.all([getOwnProfile(ctx), listOwnDocuments(ctx)]);
    return profileOf(profile, documents, origin);
  },
});

const text = z.string().optional();
const oneOf = <S extends z.ZodType>(schema: S) => z.union([z.array(schema).max(1), schema]).optional();
const first = <T>(given: T | T[] | undefined): T | undefined => (Array.isArray(given) ? given[0] : given);
const number = z.union([z.number(), z.string()]).nullable().optional();

export const saveOwnProfile = endpoint({
  method: "PUT",
  path: "/api/doctor/profile",
  group,
  summary: "Saves the profile of the doctor. A field that is left out is not changed.",
  about:
    "Name, hospital and bank account are verified: a change of one waits for an administrator's approval and is listed in `waiting`. `profileImage` is a data address (data:image/jpeg;base64,…); with any other text the photo is not changed. A change of the bank account needs a proof of identity from the last 5 minutes: without one the answer is 403 and nothing is saved (see POST /api/auth/proof/send-otp).",
  who: ["doctor"],
  verified: true,
  // A photo as base64 (specification 000 §7).
  jsonMb: 15,
  body: z.object({
    fullName: text,
    nameInTelugu: text,
    nameInHindi: text,
    primarySpecialization: text,
    additionalSpecializations: text,
    category: text,
    experienceYears: number,
    gender: text,
    dateOfBirth: text,
    consultationFee: number,
    about: text,
    languages: z.array(z.string()).optional(),
    hospitalInfo: oneOf(z.object({ hospitalId: text, hospitalName: text, hospitalAddress: text, contactNumber: text })),
    bankingInfo: oneOf(z.object({ bankName: text, bankBranch: text, accountHolderName: text, accountNumber: text, ifscCode: text })),
    profileImage: z.string().nullable().optional(),
    proof: ApiProofSchema,
  }),
  answer: Done.extend({ waiting: z.array(z.enum(["name", "council", "hospital", "bank"])) }),
  sentences: { ...sentences, failed: () => m.profile_update_failed() },
  async run({ ctx: caller, body, tokenHash }) {
    const ctx = await proveCall(caller, tokenHash, body.proof);
    const now = await getOwnProfile(ctx);
    const hospital = first(body.hospitalInfo);
    const bank = first(body.bankingInfo);
    const form = validate(profileFormOn(todayInIndia(ctx.now)), {
      ...namesOf(body, now),
      primarySpecialization: body.primarySpecialization ?? now.specialization,
      additionalSpecializations: body.additionalSpecializations ?? now.additionalSpecializations,
      category: body.category ?? now.category,
      experienceYears: String(body.experienceYears ?? now.experienceYears),
      gender: (body.gender ?? now.gender ?? "").toLowerCase(),
      dateOfBirth: (body.dateOfBirth ?? now.dateOfBirth ?? "").slice(0, 10),
      // Spec 000 §5: sent as a number, 0 if empty.
      consultationFee: feeOf(body.consultationFee, now.fee),
      about: body.about ?? now.about,
      languages: body.languages ?? now.languages,
      councilName: now.councilName ?? "",
      councilNumber: now.councilNumber ?? "",
      councilYear: String(now.councilYear ?? ""),
      ...hospitalOf(hospital, now),
      ...bankOf(bank, now),
    });
    const photo = await photoOf(
      body.profileImage,
      async (bytes) => (await storeImage(ctx, { purpose: "doctor-photo", name: "", bytes })).id,
    );
    const waiting = await saveProfile(ctx, photo ? { ...form, photo } : form);
    return { ...done(m.profile_updated()), waiting };
  },
});

type NamesGiven = Partial<Record<"fullName" | "nameInTelugu" | "nameInHindi", string | undefined>>;
/** A new name has no old name in Telugu or Hindi: they are sent with it, or there is none. */
function namesOf(given: NamesGiven, now: OwnProfile) {
  const fullName = given.fullName ?? now.name;
  const old = fullName === now.name ? now : { nameInTelugu: undefined, nameInHindi: undefined };
  return { fullName, nameInTelugu: given.nameInTelugu ?? old.nameInTelugu, nameInHindi: given.nameInHindi ?? old.nameInHindi };
}

const feeOf = (given: string | number | null | undefined, now: number | null) =>
  given === undefined ? (now === null ? "0" : rupeesPlain(now)) : given === null || given === "" ? "0" : String(given);

type HospitalGiven = {
  hospitalId?: string | undefined;
  hospitalName?: string | undefined;
  hospitalAddress?: string | undefined;
  contactNumber?: string | undefined;
};
/** What GET gave is sent back by most apps: that is no change. */
function hospitalOf(given: HospitalGiven | undefined, now: OwnProfile) {
  if (!given) return {};
  const old = now.hospital;
  const same = (a: string | undefined, b: string | null | undefined) =>
    a === undefined || a.replace(/\s/g, "") === (b ?? "").replace(/\s/g, "");
  if (old && (given.hospitalId === undefined || given.hospitalId === old.id)) {
    const contact = old.phone ?? "";
    if (same(given.hospitalName, old.name) && same(given.hospitalAddress, old.address) && same(given.contactNumber, contact)) return {};
    return { hospitalName: given.hospitalName, hospitalAddress: given.hospitalAddress, contactNumber: given.contactNumber };
  }
  return given.hospitalId ? { hospitalId: given.hospitalId } : given;
}

type BankGiven = Partial<Record<"bankName" | "bankBranch" | "accountHolderName" | "accountNumber" | "ifscCode", string | undefined>>;
/** A number of which only the end is shown means the stored one. */
function bankOf(given: BankGiven | undefined, now: OwnProfile) {
  const old = now.bank;
  const accountNumber = given?.accountNumber && !/[•*xX]/.test(given.accountNumber) ? given.accountNumber : undefined;
  const parts = {
    bankName: given?.bankName ?? old?.bankName,
    bankBranch: given?.bankBranch ?? old?.bankBranch,
    accountHolderName: given?.accountHolderName ?? old?.accountHolderName,
    ifscCode: given?.ifscCode ?? old?.ifscCode,
    accountNumber,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined && value !== ""));
}

/** The id of a photo that came as a data address; undefined for any other text. @throws DomainError beside `profileImage` */
async function photoOf(given: string | null | undefined, store: (bytes: Uint8Array) => Promise<string>): Promise<string | undefined> {
  const data = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(given ?? "")?.[1];
  if (data === undefined) return undefined;
  const bytes = Buffer.from(data, "base64");
  const beside = (error: DomainError) =>
    new DomainError(error.code, error.sentence, error.sentence ? { fields: { profileImage: [error.sentence] } } : {});
  if (bytes.byteLength > MAX_IMAGE_BYTES) throw beside(new DomainError("too-large", m.error_too_large()));
  try {
    return await store(bytes);
  } catch (error) {
    if (error instanceof DomainError && error.code !== "unavailable" && error.code !== "too-many") throw beside(error);
    throw error;
  }
}

const Percent = z.number().nullable().meta({ description: "Whole percent; null where there is nothing to compare." });
const count = z.number();

export const getStats = endpoint({
  method: "GET",
  path: "/api/doctor/stats",
  group,
  summary: "Returns the doctor's statistics of today, this month, this year and each of the last months.",
  about: "Amounts are in rupees. Percentages are whole numbers, and null where there is nothing to compare.",
  who: ["doctor"],
  verified: true,
  answer: z.object({
    todayAppointments: count,
    pendingAppointments: count,
    acceptedAppointments: count,
    completedAppointments: count,
    cancelledAppointments: count,
    monthlyAppointments: count,
    yearlyAppointments: count,
    monthlyCompletedAppointments: count,
    monthlyCancelledAppointments: count,
    uniquePatients: count,
    totalEarnings: z.number(),
    monthlyEarnings: z.number(),
    yearlyEarnings: z.number(),
    todayEarnings: z.number(),
    weeklyEarnings: z.number(),
    avgEarningsPerPatient: Rupees,
    consultationFee: Rupees,
    monthlyGrowth: Percent,
    appointmentGrowth: Percent,
    completionRate: Percent,
    monthlyTrend: z.array(
      z.object({ month: z.string(), label: z.string(), earnings: z.number(), appointments: count, completed: count, cancelled: count }),
    ),
  }),
  sentences: { failed: () => m.statistics_failed() },
  async run({ ctx }) {
    const { missedAppointments: _, ...stats } = await getDoctorStats(ctx, "6m");
    return {
      ...stats,
      totalEarnings: stats.totalEarnings / 100,
      monthlyEarnings: stats.monthlyEarnings / 100,
      yearlyEarnings: stats.yearlyEarnings / 100,
      todayEarnings: stats.todayEarnings / 100,
      weeklyEarnings: stats.weeklyEarnings / 100,
      avgEarningsPerPatient: rupees(stats.avgEarningsPerPatient),
      consultationFee: rupees(stats.consultationFee),
      monthlyTrend: stats.monthlyTrend.map((month) => ({ ...month, label: monthShort(month.month), earnings: month.earnings / 100 })),
    };
  },
});
