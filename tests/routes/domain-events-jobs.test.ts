/** One event and one delivery for each state change that a job makes, by the workers of the server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVENT_ACTIONS, type EventKind } from "#app/domains/platform/events/event-kinds.ts";
import { addDays, instantInIndia } from "#app/lib/dates.ts";
import { hours } from "#app/lib/durations.ts";
import type { JobName } from "#app/queue/queue.server.ts";
import { addSlots, dayFromNow, makePatient, makeVisit } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { runJob } from "../setup/run-job.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEvents, watchChanges } from "../setup/watch-changes.ts";

type Clinic = Awaited<ReturnType<typeof makeClinic>>;
let server: TestServer;
let clinic: Clinic;
const TODAY = dayFromNow(1);
beforeAll(async () => {
  server = await startServer({ seed: false });
  // At noon, so that offers of waitlists are sent at once.
  server.clock.to(instantInIndia(TODAY, "12:00").getTime());
  await watchChanges(server);
});
afterAll(() => server?.stop());

/** Makes a place whose endpoint gets every event. */
async function newClinic(): Promise<Clinic> {
  clinic = await makeClinic(server.db);
  await server.sql`insert into webhook_endpoints (hospital_id, url, subjects, secret, state)
    values (${clinic.place.id}, 'https://example.com/', ${Object.keys(EVENT_ACTIONS)}, '', 'paused')`;
  return clinic;
}
const newVisit = async (time: string) =>
  makeVisit(server.db, { patient: await makePatient(server.db), doctor: clinic.doctor }, { date: addDays(TODAY, 3), time });
/** Proposes another time for an appointment, which was not answered in time. */
const expiredProposal = async (away: string | null) => {
  const visit = await newVisit("10:00");
  await server.sql`insert into appointment_proposals (appointment_id, options, away_reason, expires_at)
    values (${visit}, ${JSON.stringify([{ date: addDays(TODAY, 4), time: "10:00", practiceId: clinic.doctor.id }])}::text::jsonb, ${away}, now())`;
};
const waits = async (until: string) => {
  const { id } = await makePatient(server.db);
  await server.sql`insert into waitlist_entries (patient_id, doctor_id, practice_id, patient_name, patient_phone, patient_age, patient_gender, from_date, until_date)
    values (${id}, ${clinic.doctor.id}, ${clinic.doctor.id}, 'P', '+919000000000', 40, 'female', ${addDays(TODAY, -3)}, ${until})`;
};

/** What waits for a job, and the events of its run. */
const RUNS: { title: string; job: JobName; arrange: () => Promise<unknown>; events: EventKind[] }[] = [
  {
    title: "ends a proposal that the patient did not answer",
    job: "lapse-proposals",
    arrange: () => expiredProposal(null),
    events: ["proposal.lapse"],
  },
  {
    title: "cancels the appointment when the doctor is away at its time",
    job: "lapse-proposals",
    arrange: () => expiredProposal("leave"),
    events: ["appointment.cancel", "proposal.lapse"],
  },
  {
    title: "ends an entry of a waitlist whose days are over",
    job: "waitlist",
    arrange: () => waits(addDays(TODAY, -1)),
    events: ["waitlist.end"],
  },
  {
    title: "offers a free time to the patient who waits",
    job: "waitlist",
    arrange: async () => {
      await addSlots(server.db, clinic.doctor.id, [{ date: addDays(TODAY, 3), time: "10:00" }]);
      await waits(addDays(TODAY, 5));
    },
    events: ["waitlist.offer"],
  },
  {
    title: "closes a session of yesterday that never opened, with its patient",
    job: "sweep",
    arrange: async () => {
      const session = await makeSession(server.db, clinic.doctor.id, { date: addDays(TODAY, -1), state: "planned" });
      const visit = await newVisit("11:00");
      await server.sql`insert into queue_entries (session_id, appointment_id, number, kind, name, phone, state, code, due_at)
        values (${session}, ${visit}, 1, 'booked', '', '', 'expected', ${session.slice(0, 12)}, now())`;
    },
    events: ["queue-entry.lapse", "queue-session.close"],
  },
];

describe("a job", () => {
  it.each(RUNS)("$title: one event and one delivery for each change", { timeout: 90_000 }, async ({ job, arrange, events }) => {
    await newClinic();
    await expectEvents(server);
    await arrange();
    await runJob(server, job);
    expect((await expectEvents(server)).sort()).toEqual(events);
    const deliveries = await server.sql<{ kind: string }[]>`
      select e.kind from webhook_deliveries d join domain_events e on e.id = d.event_id
      join webhook_endpoints w on w.id = d.endpoint_id where w.hospital_id = ${clinic.place.id} order by 1`;
    expect(deliveries.map(({ kind }) => kind)).toEqual(events);
    // A second run changes nothing.
    await runJob(server, job);
    expect(await expectEvents(server)).toEqual([]);
  });
  it("passes on an offer that was not answered, step by step", { timeout: 90_000 }, async () => {
    await newClinic();
    await server.sql`delete from waitlist_entries`;
    await addSlots(server.db, clinic.doctor.id, [{ date: addDays(TODAY, 3), time: "10:00" }]);
    for (let n = 0; n < 2; n++) await waits(addDays(TODAY, 5));
    await expectEvents(server);
    await runJob(server, "waitlist");
    expect(await expectEvents(server)).toEqual(["waitlist.offer"]);
    server.clock.advance(hours(3));
    await runJob(server, "waitlist");
    expect((await expectEvents(server)).sort()).toEqual(["waitlist.lapse", "waitlist.offer", "waitlist.wait-again"]);
    server.clock.advance(-hours(3));
  });
});
