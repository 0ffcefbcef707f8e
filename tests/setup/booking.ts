/** One server and one doctor for the tests of a booking. Importing this file registers the hooks that start and stop them. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { appointments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { dayFromNow, makeDoctor, newPhone, type Slot, type TestDoctor } from "../factories/people.ts";
import { type LoggedIn, loginAs } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";

export const TIMES = ["09:00", "09:30", "10:00", "10:30", "11:00", "11:30"];
export const DAY = dayFromNow(4);
export const SLOT: Slot = { date: DAY, time: "10:00" };

export let server: TestServer;
export let doctor: TestDoctor;
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await newDoctor();
});
afterAll(() => server?.stop());

export const newDoctor = (slots: Slot[] = TIMES.map((time) => ({ date: DAY, time }))) => makeDoctor(server.db, { slots });
export const newPatient = (): Promise<LoggedIn> => loginAs(server, { role: "patient", phone: newPhone() });
export const visitsOf = (patient: LoggedIn) =>
  server.sql<{ id: string; status: string; doctor_id: string; patient_name: string; patient_phone: string }[]>`
    select * from appointments where patient_id = ${patient.userId} order by created_at`;
export const notesOf = (patient: LoggedIn) =>
  server.db
    .select({ note: opened(appointments.patientNote), medicalHistory: opened(appointments.medicalHistory) })
    .from(appointments)
    .where(eq(appointments.patientId, patient.userId));
export const reasonsOf = async (patient: LoggedIn) =>
  (
    await server.db
      .select({ reason: opened(appointments.reason) })
      .from(appointments)
      .where(eq(appointments.patientId, patient.userId))
      .orderBy(appointments.createdAt)
  ).map(({ reason }) => reason);
