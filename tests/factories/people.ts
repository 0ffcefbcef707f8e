/** Inserts users, slots and visits directly into the database. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { appointments, availabilitySlots, doctors, patients, type Role, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { addDays, type DateKey, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { paise } from "#app/lib/money.ts";
import type { AppointmentStatus, RegistrationStatus } from "#app/lib/vocabulary.ts";
import { ownNow } from "../setup/own-day.ts";

let counter = 0;
/** Returns a mobile number that is unique in this test file. */
export const newPhone = () => `+9180${String(++counter).padStart(8, "0")}`;
/** Returns a phone as a user types it. */
export const typed = (phone: string) => phone.slice(3);
export const newEmail = () => `person${++counter}@proof.test`;

/**
 * Returns a time of today in India a few minutes ago, the next one for each `n` below 10. A queue that nobody opened ends by itself an hour
 * after its last appointment, so a test of today's tokens cannot take a fixed time.
 */
export function recentSlot(n = 0, now = ownNow()): { date: DateKey; time: TimeKey } {
  const [hours = 0, minutes = 0] = timeInIndia(now).split(":").map(Number);
  const at = Math.max(hours * 60 + minutes - 10 + n, n);
  const two = (part: number) => String(part).padStart(2, "0");
  return { date: todayInIndia(now), time: `${two(Math.floor(at / 60))}:${two(at % 60)}` as TimeKey };
}

/** Returns the day `days` from today in India. */
export const dayFromNow = (days: number, now = ownNow()): DateKey => addDays(todayInIndia(now), days);

export type Person = { id: string; phone: string; actor: Actor };

export async function makePatient(db: Database, over: { name?: string; phone?: string } = {}): Promise<Person> {
  const phone = over.phone ?? newPhone();
  const [user] = await db.insert(users).values({ role: "patient", phone }).returning({ id: users.id });
  const id = user!.id;
  await db.insert(patients).values({ id, name: over.name ?? null });
  return { id, phone, actor: { userId: id, role: "patient" } };
}

export type Slot = { date: DateKey; time: TimeKey };
export type TestDoctor = Person & { email: string; slots: Slot[] };

/** Gives a doctor what a signature needs: council, number and a degree. */
export const letSign = (db: Database, doctorId: string) =>
  db
    .update(doctors)
    .set({
      councilName: "Andhra Pradesh Medical Council",
      councilNumber: `APMC/${doctorId.slice(0, 8)}`,
      qualifications: [{ degree: "MBBS", universityCollege: "NTR University", year: 2008 }],
    })
    .where(eq(doctors.id, doctorId));

/** Inserts a doctor with free half-hour slots. A `password` allows login. */
export async function makeDoctor(
  db: Database,
  over: {
    name?: string;
    status?: RegistrationStatus;
    fee?: number | null;
    slots?: Slot[];
    password?: string;
    category?: string;
    specialization?: string;
  } = {},
): Promise<TestDoctor> {
  const [phone, email] = [newPhone(), newEmail()];
  const passwordHash = over.password ? await hashPassword(over.password) : null;
  const [user] = await db.insert(users).values({ role: "doctor", phone, email, passwordHash }).returning({ id: users.id });
  const id = user!.id;
  await db.insert(doctors).values({
    id,
    fullName: over.name ?? `Dr. Proof ${counter}`,
    registrationStatus: over.status ?? "verified",
    consultationFee: over.fee === undefined ? 50_000 : over.fee,
    category: over.category ?? "General",
    primarySpecialization: over.specialization ?? "Pulmonologist",
    city: "Vijayawada",
    state: "Andhra Pradesh",
    latitude: 16.5,
    longitude: 80.6,
  });
  const slots = over.slots ?? [];
  await addSlots(db, id, slots);
  return { id, phone, email, slots, actor: { userId: id, role: "doctor" } };
}
/** Inserts a doctor with free times on two days of a month, and returns the first of them. No other test books it or suspends the doctor. */
export async function newFreeSlot(db: Database): Promise<Slot & { doctor: string }> {
  const first = dayFromNow(4).slice(0, 7) === dayFromNow(5).slice(0, 7) ? 4 : 5;
  const slots = [first, first + 1].flatMap((days) => ["16:00", "16:30", "17:00"].map((time) => ({ date: dayFromNow(days), time })));
  const { id } = await makeDoctor(db, { name: "Dr. Asha Rao", slots });
  return { doctor: id, ...slots[0]! };
}
export async function addSlots(db: Database, doctorId: string, slots: Slot[]): Promise<void> {
  if (slots.length) await db.insert(availabilitySlots).values(slots.map((s) => ({ doctorId, ...s })));
}

/** Inserts a staff user without a password. */
export async function makeStaff(db: Database, role: Exclude<Role, "patient" | "doctor">): Promise<Actor> {
  const [user] = await db.insert(users).values({ role, phone: newPhone(), email: newEmail() }).returning({ id: users.id });
  return { userId: user!.id, role };
}

/** Inserts a visit, by default in five days at 10:00. */
export async function makeVisit(
  db: Database,
  between: { patient: Person; doctor: Person },
  over: {
    status?: AppointmentStatus;
    date?: DateKey;
    time?: TimeKey;
    name?: string;
    reason?: string;
    history?: string;
    completedAt?: Date;
    practiceId?: string;
  } = {},
): Promise<string> {
  const id = randomUUID();
  await db.insert(appointments).values({
    id,
    patientId: between.patient.id,
    doctorId: between.doctor.id,
    ...(over.practiceId && { practiceId: over.practiceId }),
    date: over.date ?? dayFromNow(5),
    time: over.time ?? "10:00",
    status: over.status ?? "pending",
    completedAt: over.completedAt ?? null,
    reason: sealed(appointments.reason, id, over.reason ?? "Routine Checkup"),
    patientName: over.name ?? "Proof Patient",
    patientPhone: between.patient.phone,
    patientAge: 40,
    patientGender: "female",
    medicalHistory: sealed(appointments.medicalHistory, id, over.history ?? null),
    fee: paise(50_000),
    paymentReference: `T-${randomToken().slice(0, 12)}`,
    idempotencyKey: randomToken(),
  });
  return id;
}
