/** A place with a receptionist, a doctor of its staff, and a session of today. */
import { eq } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { doctors, queueSessions } from "#app/db/schema/index.ts";
import type { QueueSessionState } from "#app/lib/vocabulary.ts";
import { addPlaceDoctor, makeMember, makePlace } from "./members.ts";
import { dayFromNow, makeDoctor } from "./people.ts";

/** Makes a place with a receptionist and a doctor who works there. */
export async function makeClinic(db: Database, over: { doctor?: string } = {}) {
  const place = await makePlace(db);
  const doctor = await makeDoctor(db, over.doctor ? { name: over.doctor } : {});
  await db.update(doctors).set({ hospitalId: place.id }).where(eq(doctors.id, doctor.id));
  await addPlaceDoctor(db, place.id, doctor.id);
  return { place, doctor, reception: await makeMember(db, place.id, "reception") };
}

/** Inserts a session of the doctor's first practice. Default: today's morning, open. */
export async function makeSession(
  db: Database,
  doctorId: string,
  over: Partial<Pick<typeof queueSessions.$inferInsert, "date" | "part" | "doctorInAt" | "startsAt" | "endsAt">> & {
    state?: QueueSessionState;
  } = {},
): Promise<string> {
  const state = over.state ?? "open";
  const [row] = await db
    .insert(queueSessions)
    .values({
      practiceId: doctorId,
      doctorId,
      date: dayFromNow(0),
      part: "morning",
      startsAt: "09:00",
      // One of today does not end by itself, whatever the time of the test.
      endsAt: over.date && over.date !== dayFromNow(0) ? "13:00" : "23:59",
      doctorInAt: state === "planned" ? null : new Date(),
      ...over,
      state,
    })
    .returning({ id: queueSessions.id });
  return row!.id;
}
