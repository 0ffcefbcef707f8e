import { eq } from "drizzle-orm";
import { doctorBankAccounts, doctors, hospitals } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { moveCase } from "#app/domains/credentials/cases/move-case.server.ts";
import { openNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import type { DraftSteps } from "./draft.ts";
import { getDraft, writeSteps } from "./draft-store.server.ts";

/**
 * "Re-submit Verification": opens a rejected application again with all values. Takes values that are not in the draft from the
 * submitted profile.
 * @throws DomainError("conflict") when the application is not rejected
 */
export async function reviseVerification(ctx: Ctx<Actor>): Promise<void> {
  await transact(ctx, async (tx) => {
    await moveCase(tx, { doctorId: tx.actor.userId, action: "revise" });
    const draft = await getDraft(tx);
    const { hospital, professional, bank } = draft.steps;
    if (hospital && professional && bank) return;
    const given = await stepsOfProfile(tx);
    await writeSteps(
      tx,
      draft.version,
      { hospital: hospital ?? given.hospital, professional: professional ?? given.professional, bank: bank ?? given.bank },
      { page: "", turn: 0 },
    );
  });
}

async function stepsOfProfile(tx: Ctx<Actor>): Promise<DraftSteps> {
  const doctorId = tx.actor.userId;
  const [row] = await tx.db
    .select({ doctor: doctors, hospital: hospitals, bank: doctorBankAccounts })
    .from(doctors)
    .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
    .leftJoin(doctorBankAccounts, eq(doctorBankAccounts.doctorId, doctors.id))
    .where(eq(doctors.id, doctorId));
  if (!row) return { hospital: null, professional: null, bank: null };
  const { doctor, hospital, bank } = row;
  const proposed = hospital?.status === "pending" || hospital?.status === "refused";
  const number = (kind: "aadhaar" | "pan" | "account", sealed: string | null | undefined) => {
    try {
      return sealed ? openNumber(kind, doctorId, sealed) : "";
    } catch {
      return ""; // no current key decrypts it: the doctor enters it again
    }
  };
  return {
    hospital: hospital && {
      mode: proposed ? "manual" : "select",
      hospitalId: proposed ? "" : hospital.id,
      hospitalName: hospital.name,
      hospitalAddress: hospital.address,
      contactNumber: hospital.phone ?? "",
    },
    professional: {
      fullName: doctor.fullName,
      gender: doctor.gender ?? "",
      dateOfBirth: doctor.dateOfBirth ?? "",
      medicalCouncilRegistrationNumber: doctor.councilNumber ?? "",
      medicalCouncilName: doctor.councilName ?? "",
      yearOfRegistration: doctor.councilYear === null ? "" : String(doctor.councilYear),
      primarySpecialization: doctor.primarySpecialization,
      additionalSpecializations: doctor.additionalSpecializations,
      category: doctor.category,
      experienceYears: String(doctor.experienceYears),
      consultationFee: doctor.consultationFee === null ? "" : rupeesPlain(doctor.consultationFee).replace(/\.00$/, ""),
      about: doctor.about,
      city: doctor.city,
      state: doctor.state,
      aadhaarNumber: number("aadhaar", doctor.aadhaarSealed),
      panNumber: number("pan", doctor.panSealed),
      languages: doctor.languages,
      qualifications: doctor.qualifications.map((q, i) => ({
        key: `q${i}`,
        degree: q.degree,
        universityCollege: q.universityCollege,
        year: q.year === null ? "" : String(q.year),
      })),
    },
    bank: bank && {
      bankName: bank.bankName,
      accountNumber: number("account", bank.accountSealed),
      ifscCode: bank.ifscCode,
      accountHolderName: bank.accountHolderName,
      bankBranch: bank.bankBranch,
    },
  };
}
