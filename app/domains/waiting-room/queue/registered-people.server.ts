import { and, asc, eq, or } from "drizzle-orm";
import { containsText, isSameText } from "#app/db/contains-text.server.ts";
import { clinicPatients } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordRead, recordReads } from "#app/domains/platform/audit/record.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { isSmallChild, specifiedYears } from "#app/lib/age.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { graphemesOf } from "#app/lib/graphemes.ts";
import { m } from "#app/paraglide/messages.js";
import { isSameName, type KnownPerson, type Typed } from "./known-person.ts";

/** Bounds the choices of one phone or name. */
export const MOST_KNOWN = 8;

/** Fewer letters of a name find only who has this whole name: one letter would list the register. */
const LEAST_LETTERS = 3;
const hasLetters = (typed: string) => graphemesOf(typed).filter((one) => /\p{L}/u.test(one)).length >= LEAST_LETTERS;

/** The register: of a hospital or clinic, or of a doctor's own practice. */
export type Register = { hospitalId: string } | { doctorId: string };
/** `personId`: the account of the phone. */
type RegisteredPerson = KnownPerson & { personId: string | null };

/** Returns imported patients of a register. The caller has checked the right to it. */
async function listRegistered(ctx: Ctx, register: Register, typed: Typed): Promise<RegisteredPerson[]> {
  const found = await ctx.db
    .select({
      name: clinicPatients.name,
      phone: clinicPatients.phone,
      born: clinicPatients.birthDate,
      isAbout: clinicPatients.birthAbout,
      gender: clinicPatients.gender,
      personId: clinicPatients.patientId,
    })
    .from(clinicPatients)
    .where(
      and(
        "hospitalId" in register ? eq(clinicPatients.hospitalId, register.hospitalId) : eq(clinicPatients.doctorId, register.doctorId),
        typed.name === undefined
          ? eq(clinicPatients.phone, typed.phone)
          : or(
              (hasLetters(typed.name) ? containsText : isSameText)(clinicPatients.name, typed.name),
              isSameText(clinicPatients.number, typed.name),
            ),
      ),
    )
    .orderBy(asc(clinicPatients.nameKey), asc(clinicPatients.id))
    .limit(MOST_KNOWN);
  const today = todayInIndia(ctx.now);
  return found.map(({ born, isAbout, phone, ...person }) => ({
    ...person,
    age: born ? specifiedYears(born, today) : null,
    // A birth date that follows from an age in years is none.
    birthDate: born && (!isAbout || isSmallChild(born, today)) ? born : null,
    ...(!typed.phone && { phone }),
  }));
}

/**
 * Returns patients of appointments, then those of the register who are not among them. Records the search, and who of the register is shown.
 * @throws DomainError("too-many" | "invalid" for a name that is too short)
 */
export async function withRegistered(ctx: Ctx<Actor>, register: Register, typed: Typed, seen: KnownPerson[]): Promise<KnownPerson[]> {
  await spendLimits(ctx, [{ limit: "patient-search", key: ctx.actor.userId }]);
  const registered = await listRegistered(ctx, register, typed);
  const added = registered
    .filter(({ name }) => typed.name !== undefined || !seen.some((person) => isSameName(person.name, name)))
    .slice(0, MOST_KNOWN - seen.length);
  const persons = [...new Set(added.flatMap(({ personId }) => personId ?? []))];
  const subject =
    "hospitalId" in register
      ? { subjectType: "hospital" as const, subjectId: register.hospitalId }
      : { subjectType: "doctor" as const, subjectId: register.doctorId };
  // Patients without an account have no log of their own.
  await recordRead(ctx, { action: "read-register", ...subject, details: { rows: added.length } });
  if (typed.name !== undefined && !added.length && !hasLetters(typed.name))
    throw new DomainError("invalid", m.queue_name_short(), { fields: { name: [m.queue_name_short()] } });
  await recordReads(
    ctx,
    persons.map((personId) => ({ action: "read-imported-patient", subjectType: "user", subjectId: personId, personId })),
  );
  return [...seen, ...added.map(({ personId: _, ...person }) => person)];
}
