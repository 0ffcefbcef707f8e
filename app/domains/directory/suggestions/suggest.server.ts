import type { Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import { freeWord } from "../doctors/free-word.ts";
import { specialtyWord } from "../doctors/names.ts";
import { type DoctorCard, listDoctors } from "../doctors/queries.server.ts";
import { listHospitals } from "../hospitals/directory.server.ts";
import { kmWord } from "../km-word.ts";
import type { Near } from "../near.ts";
import { SPECIALTY_CHIPS } from "../specialties.ts";
import { meantBy } from "../symptoms/meant.ts";
import { plainSpecialty } from "./plain-words.server.ts";
import { FEWEST_LETTERS, type Suggestion } from "./suggestion.ts";

/** Doctors that are read: two are suggested, the others name the area. */
const READ = 6;
const DOCTORS = 2;
const LONGEST = 60;
/** Most letters of a line that is shown. */
const LONGEST_LINE = 80;
const MOST_BYTES = 2048;

/** Returns at most six suggestions for what was typed, in the order of their groups. None for fewer than two letters. */
export async function suggest(ctx: Ctx, text: string, near: Near): Promise<Suggestion[]> {
  const typed = text.trim().slice(0, LONGEST);
  if (typed.length < FEWEST_LETTERS) return [];
  const [{ doctors }, { hospitals }] = await Promise.all([
    listDoctors(ctx, { near, text: typed, sort: "distance", limit: READ }),
    listHospitals(ctx, { near, text: typed, sort: "distance", limit: 1 }),
  ]);
  const today = todayInIndia(ctx.now);
  const found = [
    ...doctors.slice(0, DOCTORS).map((doctor) => ofDoctor(doctor, today)),
    ...specialtyOf(typed),
    ...illnessOf(typed),
    ...hospitals.map(({ id, name, address, distanceKm }) => ({
      kind: "hospital" as const,
      name,
      about: [address, kmOf(distanceKm)].filter(Boolean).join(", "),
      to: `/hospital/${id}`,
    })),
    ...areaOf(typed, doctors),
  ];
  return found.map((one) => ({ ...one, name: cut(one.name), about: cut(one.about) }));
}

const cut = (line: string) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line);

/** Returns the answer without its last suggestions, if it would be longer than 2 KB. */
export function fitting<A extends { found: Suggestion[] }>(answer: A): A {
  const isLong = Buffer.byteLength(JSON.stringify(answer)) > MOST_BYTES;
  return isLong && answer.found.length > 0 ? fitting({ ...answer, found: answer.found.slice(0, -1) }) : answer;
}

const kmOf = (km: number | null) => (km === null ? "" : m.doctors_distance({ km: kmWord(km) }));

const ofDoctor = (doctor: DoctorCard, today: string): Suggestion => ({
  kind: "doctor",
  name: doctor.name,
  about: [plainSpecialty(doctor.specialization), kmOf(doctor.distanceKm), doctor.nextFree && freeWord(doctor.nextFree, today)]
    .filter(Boolean)
    .join(". "),
  to: `/details/doctor/${doctor.id}`,
});

/** The specialty whose name begins with what was typed, in the reader's language or in English. */
function specialtyOf(typed: string): Suggestion[] {
  const begins = (name: string) => name.toLowerCase().startsWith(typed.toLowerCase());
  const specialty = SPECIALTY_CHIPS.find((name) => begins(plainSpecialty(name)) || begins(specialtyWord(name)) || begins(name));
  return specialty
    ? [{ kind: "specialty", name: plainSpecialty(specialty), about: "", to: pathOf({ page: "doctors-of-specialty", id: specialty }) }]
    : [];
}

/** The kind of doctor for an illness that was typed. */
function illnessOf(typed: string): Suggestion[] {
  const meant = meantBy(typed);
  return meant
    ? [{ kind: "illness", name: typed, about: specialtyWord(meant.kind.label), to: pathOf({ page: "doctors-found", id: typed }) }]
    : [];
}

/** The area of a found doctor whose name begins with what was typed. */
function areaOf(typed: string, doctors: DoctorCard[]): Suggestion[] {
  const found = doctors.find(({ area }) => area.toLowerCase().startsWith(typed.toLowerCase()));
  return found ? [{ kind: "area", name: found.area, about: found.city, to: pathOf({ page: "doctors-found", id: found.area }) }] : [];
}
