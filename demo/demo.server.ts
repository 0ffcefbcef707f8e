import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import {
  appointments,
  availabilitySlots,
  cities,
  doctors,
  familyMembers,
  files,
  hospitals,
  medicalRecords,
  notifications,
  patients,
  users,
} from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { putSealed } from "#app/domains/platform/files/stored-bytes.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind } from "#app/domains/platform/notifications/kinds.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { addDays, addMonths, type DateKey, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import { fromRupees } from "#app/lib/money.ts";
import { demoId } from "./ids.server.ts";
import { DEMO_PASSWORD, DOCTORS, demoPhone, HOSPITALS, PATIENTS, STAFF } from "./people.ts";
import { drawRecord } from "./pictures.server.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";
import { DAYS_AHEAD, fillSlots } from "./slots.server.ts";
import { demoVisits, type Visit } from "./visits.ts";

const doctorOf = new Map(DOCTORS.map((d) => [d.fullName, d]));
const patientOf = new Map(PATIENTS.map((p) => [p.name, p]));
const idOfDoctor = (name: string) => demoId(`doctor ${name}`);
const idOfPatient = (name: string) => demoId(`patient ${name}`);

/** Inserts users, hospitals, slots and visits of demo mode. Idempotent. */
export async function seedDemoData(ctx: SeedCtx): Promise<void> {
  const first = idOfDoctor(DOCTORS[0]!.fullName);
  const done = async (db: Pick<SeedCtx["db"], "select">) =>
    (await db.select({ id: users.id }).from(users).where(eq(users.id, first))).length > 0;
  if (await done(ctx.db)) return;
  await locked(ctx, async (db) => {
    if (await done(db)) return;
    const today = todayInIndia(ctx.now);
    await addPeople(db, today, ctx);
    await fillSlots(db, today, addDays(today, DAYS_AHEAD), ctx.now);
    await addVisits(db, demoVisits(today, ctx.now), ctx);
  });
}

async function addPeople(db: Tx, today: DateKey, ctx: SeedCtx): Promise<void> {
  const { now } = ctx;
  const joined = new Date(now.getTime() - days(240));
  const stamps = { createdAt: joined, updatedAt: joined };
  const staff = [
    ...STAFF.map((s) => ({ ...s, id: demoId(s.role) })),
    ...DOCTORS.map((d) => ({ role: "doctor" as const, email: d.email, phone: d.phone, id: idOfDoctor(d.fullName) })),
  ];
  const withPasswords = await Promise.all(
    staff.map(async (s) => ({ ...s, passwordHash: await hashPassword(DEMO_PASSWORD), isDemo: true, ...stamps })),
  );
  await db.insert(users).values(withPasswords);
  await db
    .insert(users)
    .values(PATIENTS.map((p) => ({ id: idOfPatient(p.name), role: "patient" as const, phone: p.phone, isDemo: true, ...stamps })));

  const [home] = await db
    .select({ id: cities.id })
    .from(cities)
    .where(sql`${cities.name} = 'Vijayawada' and ${cities.state} = 'Andhra Pradesh'`)
    .limit(1);
  await db.insert(patients).values(
    PATIENTS.map((p, i) => ({
      id: idOfPatient(p.name),
      name: p.name,
      gender: p.gender,
      dateOfBirth: addDays(addMonths(today, -12 * p.age), -20 - i * 9),
      cityId: home?.id ?? null,
      ...stamps,
    })),
  );
  const mine = { patientId: idOfPatient(PATIENTS[0]!.name), ...stamps };
  await db.insert(familyMembers).values([
    {
      ...mine,
      id: demoId("family 1"),
      name: "Savitri Devi",
      relation: "mother",
      gender: "female",
      bloodGroup: sealed(familyMembers.bloodGroup, demoId("family 1"), "O+", ctx.keys),
      age: 64,
      ageOn: today,
    },
    { ...mine, id: demoId("family 2"), name: "Arjun", relation: "son", gender: "male", dateOfBirth: addMonths(today, -12 * 7 - 3) },
  ]);
  await db.insert(hospitals).values(
    HOSPITALS.map((h, i) => ({
      id: demoId(`hospital ${h.name}`),
      name: h.name,
      category: h.category,
      specialties: h.specialties,
      address: `${h.street}, ${h.area}, ${h.city} ${h.pinCode}`,
      area: h.area,
      city: h.city,
      state: h.state,
      pinCode: h.pinCode,
      latitude: h.latitude,
      longitude: h.longitude,
      phone: demoPhone(101 + i),
      email: `hospital${i + 1}@demo.test`,
      about: h.about,
      workingHours: h.workingHours,
      isDemo: true,
      ...stamps,
    })),
  );
  await db.insert(doctors).values(
    DOCTORS.map((d, i) => {
      const place = HOSPITALS.find((h) => h.name === d.hospital)!;
      const graduated = Number(today.slice(0, 4)) - d.experienceYears;
      return {
        id: idOfDoctor(d.fullName),
        registrationStatus: "verified" as const,
        fullName: d.fullName,
        category: d.category,
        primarySpecialization: d.primarySpecialization,
        additionalSpecializations: d.additionalSpecializations,
        experienceYears: d.experienceYears,
        consultationFee: d.fee === null ? null : fromRupees(d.fee),
        about: d.about,
        gender: d.gender,
        dateOfBirth: addDays(addMonths(today, -12 * (27 + d.experienceYears)), -i * 17),
        councilName:
          place.state === "Telangana"
            ? "Telangana Medical Council"
            : d.category === "Dentistry"
              ? "Andhra Pradesh Dental Council"
              : "Andhra Pradesh Medical Council",
        councilNumber: `DEMO/${graduated}/${10_101 + i}`,
        councilYear: graduated,
        languages: d.languages,
        qualifications: [{ degree: d.degree, universityCollege: d.college, year: graduated }],
        hospitalId: demoId(`hospital ${place.name}`),
        area: place.area,
        city: place.city,
        state: place.state,
        latitude: place.latitude,
        longitude: place.longitude,
        verifiedAt: new Date(joined.getTime() + days(3)),
        isDemo: true,
        ...stamps,
      };
    }),
  );
}

/** Columns of a booking with a token. */
export type TokenColumns = { queueSessionId: string; token: number; expectedTime: string; minutes: number };

/**
 * Inserts visits with their slots, documents and notifications.
 * @param at the practice and the keys of visits at a second place, and the tokens of the visits where it gives tokens
 * @returns the ids of the visits
 */
export async function addVisits(
  db: Tx,
  visits: Visit[],
  ctx: SeedCtx,
  at: { practiceOf?: (doctor: string) => string; key: string; tokenOf?: (n: number) => TokenColumns } = { key: "visit" },
): Promise<string[]> {
  const now = ctx.now.getTime();
  const rows = visits.map((visit, i) => {
    const patient = patientOf.get(visit.patient)!;
    const doctor = doctorOf.get(visit.doctor)!;
    const start = instantInIndia(visit.date, visit.time).getTime();
    // Booked three days ahead and answered five hours later, but not after the day of seeding.
    const createdAt = new Date(Math.min(start - days(3) - minutes(i * 7), now - hours(8) - minutes(i * 3)));
    const answered = new Date(createdAt.getTime() + hours(5));
    const completedAt = visit.status === "completed" ? new Date(Math.min(start + minutes(25), now)) : null;
    const accepted = visit.status === "accepted" || visit.status === "completed";
    const id = demoId(`${at.key} ${i}`);
    return {
      id,
      ...at.tokenOf?.(i),
      patientId: idOfPatient(visit.patient),
      doctorId: idOfDoctor(visit.doctor),
      practiceId: at.practiceOf?.(visit.doctor) ?? idOfDoctor(visit.doctor),
      date: visit.date,
      time: visit.time,
      status: visit.status,
      reason: sealed(appointments.reason, id, visit.reason, ctx.keys),
      patientName: patient.name,
      patientPhone: patient.phone,
      patientAge: patient.age,
      patientGender: patient.gender,
      bloodGroup: sealed(appointments.bloodGroup, id, patient.bloodGroup ?? null, ctx.keys),
      medicalHistory: sealed(appointments.medicalHistory, id, patient.history ?? null, ctx.keys),
      fee: doctor.fee === null ? null : fromRupees(doctor.fee),
      paymentReference: `NADIDEMO${at.key === "visit" ? "" : at.key.slice(0, 1).toUpperCase()}${String(i + 1).padStart(4, "0")}`,
      paymentMethod: i % 3 === 0 ? ("upi" as const) : ("clinic" as const),
      idempotencyKey: `demo-${at.key}-${i}`,
      acceptedAt: accepted ? answered : null,
      completedAt,
      cancelledAt: visit.status === "cancelled" ? answered : null,
      cancelledBy: visit.cancelledBy,
      createdAt,
      updatedAt: completedAt ?? (visit.status === "pending" ? createdAt : answered),
    };
  });
  await db.insert(appointments).values(rows);
  await db
    .insert(availabilitySlots)
    .values(rows.map(({ doctorId, practiceId, date, time }) => ({ doctorId, practiceId, date, time })))
    .onConflictDoNothing();
  await addDocuments(db, visits, rows, ctx);
  await addNotifications(db, visits, rows, ctx.now);
  return rows.map(({ id }) => id);
}

type Row = {
  id: string;
  patientId: string;
  doctorId: string;
  status: Visit["status"];
  cancelledBy: Visit["cancelledBy"];
  createdAt: Date;
  updatedAt: Date;
};

async function addDocuments(db: Tx, visits: Visit[], rows: Row[], ctx: SeedCtx): Promise<void> {
  const store = ctx.storage ?? integrations().storage;
  const records = visits.flatMap((visit, i) => visit.records.map((record) => ({ record, row: rows[i]! })));
  for (const [n, { record, row }] of records.entries()) {
    const { bytes, width, height } = await drawRecord(record.kind, n);
    const storageKey = `medical-record/${randomBytes(20).toString("hex")}`;
    const fileId = demoId(`paper ${n}`);
    const stored = await putSealed(store, { id: fileId, storageKey, name: record.name, bytes }, ctx.keys);
    await db.insert(files).values({
      ...stored,
      ownerId: row.patientId,
      purpose: "medical-record",
      status: "attached",
      mediaType: "image/jpeg",
      width,
      height,
      createdAt: row.createdAt,
    });
    const recordId = demoId(`record ${n}`);
    await db.insert(medicalRecords).values({
      id: recordId,
      appointmentId: row.id,
      fileId,
      recordType: record.kind,
      description: sealed(medicalRecords.description, recordId, record.description, ctx.keys),
      createdAt: row.createdAt,
    });
  }
}

/** Inserts notifications of the last thirty days. All but the newest are read. */
async function addNotifications(db: Tx, visits: Visit[], rows: Row[], now: Date): Promise<void> {
  const recent = now.getTime() - days(30);
  const unread = now.getTime() - days(1.5);
  const sent = visits.flatMap((visit, i) => {
    const row = rows[i]!;
    const params = { doctor: visit.doctor, patient: visit.patient, date: visit.date, time: visit.time, appointment: row.id };
    const to = (userId: string, kind: NotificationKind, at: Date, targetPath: string) => ({
      userId,
      kind,
      type: NOTIFICATION_KINDS[kind].type,
      params,
      targetPath,
      createdAt: at,
      readAt: at.getTime() < unread ? new Date(at.getTime() + hours(2)) : null,
    });
    const doctor = "/doctor/appointments";
    const patient = `/patient/appointments/${row.id}`;
    const list = [to(row.doctorId, "appointment-booked", row.createdAt, doctor)];
    if (row.status === "accepted") list.push(to(row.patientId, "appointment-accepted", row.updatedAt, patient));
    if (row.status === "completed") list.push(to(row.patientId, "appointment-completed", row.updatedAt, patient));
    if (row.status === "cancelled")
      list.push(
        row.cancelledBy === "patient"
          ? to(row.doctorId, "appointment-cancelled", row.updatedAt, doctor)
          : to(row.patientId, "appointment-cancelled", row.updatedAt, patient),
      );
    return list.filter((n) => n.createdAt.getTime() > recent);
  });
  await db.insert(notifications).values(sent);
}
