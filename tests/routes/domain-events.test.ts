/** One event for each state change, on every path: pages, API, and the deletion of an account. Generated from the state tables. */
import { glob, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { APPOINTMENT_ACTIONS, type AppointmentAction } from "#app/domains/appointment.state.ts";
import type { ReviewAction } from "#app/domains/booking/reviews/review.state.ts";
import type { VerificationAction } from "#app/domains/credentials/cases/verification.state.ts";
import { EVENT_ACTIONS } from "#app/domains/platform/events/event-kinds.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { ApiClient } from "../api/client.ts";
import { tokenFor } from "../api/people.ts";
import { book, valuesOf } from "../factories/booking.ts";
import { decisionFields, makeAdmin, makeCase, makeHospital, makeReviewer, type TestCase, type TestHospital } from "../factories/cases.ts";
import { Caller, newAddress, pressContinue, proveDoctorPhone } from "../factories/logins.ts";
import {
  addSlots,
  dayFromNow,
  makeDoctor,
  makePatient,
  makeVisit,
  newEmail,
  newPhone,
  type Person,
  type TestDoctor,
} from "../factories/people.ts";
import { applied } from "../setup/applications.ts";
import { DEMO_KEY } from "../setup/database.ts";
import type { Answer } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEvents, expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

let server: TestServer;
let api: ApiClient;
let house: TestHospital;
let [doctor, patient]: [TestDoctor, Person] = [] as never;
const as = {} as Record<"doctor" | "patient" | "reviewer" | "admin", LoggedIn>;
const apps = {} as Record<"doctor" | "patient" | "reviewer" | "admin", ApiClient>;
beforeAll(async () => {
  server = await startServer({ seed: false });
  api = await ApiClient.of(server.url);
  const { db } = server;
  house = await makeHospital(db);
  [doctor, patient] = [await makeDoctor(db, { name: "Dr. Secretia Namedova" }), await makePatient(db, { name: "Wolfram Patientov" })];
  await server.sql`update doctors set hospital_id = ${house.id} where id = ${doctor.id}`;
  const [reviewer, admin] = [await makeReviewer(db, house), await makeAdmin(db)];
  as.doctor = await loginAs(server, { role: "doctor", email: doctor.email });
  as.patient = await loginAs(server, { role: "patient", phone: patient.phone });
  as.reviewer = await loginAs(server, reviewer);
  as.admin = await loginAs(server, admin);
  for (const who of ["doctor", "patient", "reviewer", "admin"] as const) apps[who] = api.as(await tokenFor(server, as[who].userId));
  await server.sql`insert into place_doctors (hospital_id, doctor_id, state) values (${house.id}, ${doctor.id}, 'active')`;
  await server.sql`insert into webhook_endpoints (hospital_id, url, subjects, secret, state)
    values (${house.id}, 'https://example.com/', ${Object.keys(EVENT_ACTIONS)}, '', 'paused')`;
  await watchChanges(server);
});
afterAll(() => server?.stop());

let minutes = 0;
/** A free time of the doctor that no other test uses. */
const nextSlot = (days: number) => ({
  date: dayFromNow(days),
  time: `${String(8 + Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes++ % 60).padStart(2, "0")}`,
});
const done = (answer: Answer) => expect(answer.status, answer.text.slice(0, 300)).toBe(303);
const suspended = async (work: () => Promise<Answer>) => {
  await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.id}`;
  const answer = await work();
  await server.sql`update doctors set registration_status = 'verified' where id = ${doctor.id}`;
  return answer;
};

type Cell = (id: string) => Promise<unknown>;
type By<A extends AppointmentAction> = (typeof APPOINTMENT_ACTIONS)[A]["by"][number];
/** How each user takes each action. null: this path does not exist. */
const PATHS: { [A in AppointmentAction]: { [R in By<A>]: { page: Cell; api: Cell | null } } } = {
  accept: {
    doctor: {
      page: async (id) => done(await as.doctor.post(`/doctor/appointments/${id}/accept`)),
      api: (id) => apps.doctor.call("acceptAppointment", { params: { id } }),
    },
  },
  complete: {
    doctor: {
      page: async (id) => done(await as.doctor.post(`/doctor/appointments/${id}/complete`)),
      api: (id) => apps.doctor.call("completeAppointment", { params: { id } }),
    },
  },
  "undo-complete": {
    doctor: {
      page: async (id) => done(await as.doctor.post(`/doctor/appointments/${id}/undo-complete`)),
      api: (id) => apps.doctor.call("undoCompleteAppointment", { params: { id } }),
    },
  },
  cancel: {
    doctor: {
      page: async (id) => done(await as.doctor.post(`/doctor/appointments/${id}/cancel`)),
      api: (id) => apps.doctor.call("cancelAppointment", { params: { id } }),
    },
    patient: {
      page: async (id) => done(await as.patient.post(`/patient/appointments/${id}/cancel`)),
      api: (id) => apps.patient.call("cancelAppointment", { params: { id } }),
    },
    admin: {
      page: async (id) =>
        done(
          await suspended(() =>
            as.admin.post(`/admin/doctors/${doctor.id}/visits`, { intent: "cancel", visits: id, reason: "doctor-left", note: "" }),
          ),
        ),
      api: null,
    },
  },
  move: {
    doctor: {
      page: async (id) => {
        const slot = nextSlot(6);
        await addSlots(server.db, doctor.id, [slot]);
        done(await as.doctor.post(`/doctor/patient/${id}/time`, { intent: "move", times: `${slot.date} ${slot.time}` }));
      },
      api: null,
    },
  },
  "take-proposal": {
    patient: {
      page: async (id) => {
        const slot = nextSlot(6);
        const at = `${slot.date} ${slot.time}`;
        await addSlots(server.db, doctor.id, [slot]);
        done(await as.doctor.post(`/doctor/patient/${id}/time`, { intent: "propose", times: at }));
        expect(await expectEvents(server)).toEqual(["proposal.propose"]);
        const [row] = await server.sql<{ id: string }[]>`select id from appointment_proposals where appointment_id = ${id}`;
        done(await as.patient.post(`/patient/appointments/${id}/proposal`, { proposal: row!.id, answer: at }));
      },
      api: null,
    },
  },
  reschedule: {
    patient: {
      page: async (id) => {
        const slot = nextSlot(6);
        await addSlots(server.db, doctor.id, [slot]);
        done(await as.patient.post(`/patient/appointments/${id}/reschedule`, slot));
      },
      api: null,
    },
  },
};

describe("an appointment", () => {
  for (const [action, roles] of Object.entries(PATHS))
    for (const [role, paths] of Object.entries(roles as Record<string, Record<string, Cell | null>>))
      for (const [path, act] of Object.entries(paths))
        for (const status of APPOINTMENT_ACTIONS[action as AppointmentAction].from as readonly AppointmentStatus[]) {
          if (!act) continue;
          it(`${action} by ${role} while ${status}, ${path}: one event`, async () => {
            // Completing requires that the visit has started.
            const slot = nextSlot(/complete/.test(action) ? -1 : 5);
            const id = await makeVisit(
              server.db,
              { patient, doctor },
              { ...slot, status, ...(status === "completed" && { completedAt: new Date() }) },
            );
            await expectEvents(server);
            await act(id);
            expect(await expectEvents(server)).toEqual([...(action === "take-proposal" ? ["proposal.take"] : []), `appointment.${action}`]);
            const [event] = await server.sql`select * from domain_events where subject_id = ${id}`;
            const { to } = APPOINTMENT_ACTIONS[action as AppointmentAction];
            expect(event).toMatchObject({
              actor_id: as[role as "doctor"].userId,
              on_behalf_of: null,
              doctor_id: doctor.id,
              hospital_id: house.id,
              data: { to, date: expect.any(String), time: expect.any(String) },
            });
            // A refused repetition records nothing.
            if (!(APPOINTMENT_ACTIONS[action as AppointmentAction].from as readonly string[]).includes(to)) {
              await act(id).catch(() => undefined);
              expect(await expectEvents(server)).toEqual([]);
            }
          });
        }
  it("is booked, pages and API: one event, also when the form is sent twice", async () => {
    const [one, two] = [nextSlot(7), { date: dayFromNow(7), time: "10:00" }];
    await addSlots(server.db, doctor.id, [one, two]);
    const key = "event-key-1";
    done(await book(as.patient, doctor.id, one, { idempotencyKey: key }));
    await book(as.patient, doctor.id, one, { idempotencyKey: key });
    expect(await expectEvents(server)).toEqual(["appointment.book"]);
    await apps.patient.call("bookAppointmentCall", {
      body: {
        patient: patient.id,
        doctor: doctor.id,
        date: two.date,
        time: "10:00 AM",
        patientInfo: { name: "Wolfram Patientov", phone: "9876543210", age: "41", gender: "Male" },
      } as never,
    });
    expect(await expectEvents(server)).toEqual(["appointment.book"]);
    await book(as.patient, doctor.id, two);
    expect(await expectEvents(server)).toEqual([]);
  });
  it("has one event for each state of a proposal", async () => {
    const id = await makeVisit(server.db, { patient, doctor }, nextSlot(5));
    const at = (slot: { date: string; time: string }) => `${slot.date} ${slot.time}`;
    const slots = [nextSlot(6), nextSlot(6)];
    await addSlots(server.db, doctor.id, slots);
    const propose = (slot: { date: string; time: string }) =>
      as.doctor.post(`/doctor/patient/${id}/time`, { intent: "propose", times: at(slot) });
    await expectEvents(server);
    for (const slot of slots) done(await propose(slot));
    expect(await expectEvents(server)).toEqual(["proposal.propose", "proposal.lapse", "proposal.propose"]);
    const [row] = await server.sql<
      { id: string }[]
    >`select id from appointment_proposals where appointment_id = ${id} and state = 'proposed'`;
    done(await as.patient.post(`/patient/appointments/${id}/proposal`, { proposal: row!.id, answer: "none" }));
    expect(await expectEvents(server)).toEqual(["proposal.decline"]);
  });
  it("is accepted by two requests at once: one event", async () => {
    const id = await makeVisit(server.db, { patient, doctor }, nextSlot(5));
    await Promise.all(
      [1, 2, 3, 4].map((n) =>
        n % 2 ? as.doctor.post(`/doctor/appointments/${id}/accept`) : apps.doctor.send("acceptAppointment", { params: { id } }),
      ),
    );
    expect(await expectEvents(server)).toEqual(["appointment.accept"]);
  });
  it("is cancelled with its patient's account, its reviews withdrawn and drafts about it discarded", async () => {
    const leaving = await makePatient(server.db);
    const me = await loginAs(server, { role: "patient", phone: leaving.phone });
    await makeVisit(server.db, { patient: leaving, doctor }, nextSlot(5));
    const past = await makeVisit(
      server.db,
      { patient: leaving, doctor },
      { ...nextSlot(-1), status: "completed", completedAt: new Date() },
    );
    done(await me.post(`/patient/appointments/${past}/review`, { rating: "4", words: "" }));
    expect(await expectEvents(server)).toEqual(["review.write"]);
    const visit = `/doctor/visits/${past}`;
    const { q: _, ...form } = valuesOf((await as.doctor.get(visit)).text);
    done(await as.doctor.post(visit, { ...form, diagnosis: "Namedovitis", save: "1" }));
    expect(await expectEvents(server)).toEqual(["visit-document.write"]);
    done(await me.post("/patient/data/delete", { word: "delete" }));
    expect((await expectEvents(server)).sort()).toEqual(["appointment.cancel", "review.withdraw", "visit-document.discard"]);
    // The rows stay without a name, and each reaches the doctor's place.
    const rows = await server.sql<{ doctor_id: string }[]>`select doctor_id from domain_events where actor_id = ${leaving.id}`;
    expect(rows.map((row) => row.doctor_id)).toEqual(Array(4).fill(doctor.id));
  });
});

describe("a doctor's registration and verification", () => {
  const make = (over: Partial<Parameters<typeof makeCase>[1]> = {}) =>
    makeCase(server.db, { key: DEMO_KEY, hospital: house, openedBy: [as.reviewer.userId], ...over });
  const forAdmin = () =>
    make({ status: "pending admin approval", decided: "matches", approvedBy: as.reviewer.userId, openedBy: [as.admin.userId] });
  const decide = async (who: "reviewer" | "admin", it: TestCase, intent: "approve" | "send-back", how: "page" | "api") => {
    const decision = intent === "approve" ? "matches" : "ask-again";
    if (how === "page")
      return done(
        await as[who].post(
          `/${who === "admin" ? "admin/doctors" : "reviewer/cases"}/${it.id}`,
          decisionFields(it, intent, [decision === "matches" ? decision : ["Blurred."]]),
        ),
      );
    const documents = it.documents.map(({ id }) => ({ id, decision, ...(decision === "ask-again" && { reason: "Blurred." }) }));
    await apps[who].call(who === "admin" ? "decideAnyCase" : "decideCase", {
      params: { id: it.id },
      body: { intent, seen: it.seen, documents } as never,
    });
  };
  const own = async (it: TestCase) => loginAs(server, { role: "doctor", email: it.email });
  type Run = () => Promise<unknown>;
  const RUNS: Record<VerificationAction | "register", Run[]> = {
    register: [
      async () => {
        const browser = new Caller(server.url, newAddress());
        await proveDoctorPhone(server, browser, { mode: "register", email: newEmail(), password: "a-good-long-one", mobile: newPhone() });
        done(await pressContinue(browser));
      },
    ],
    "hospital-approve": (["page", "api"] as const).map((how) => async () => decide("reviewer", await make(), "approve", how)),
    "hospital-reject": (["page", "api"] as const).map((how) => async () => decide("reviewer", await make(), "send-back", how)),
    approve: (["page", "api"] as const).map((how) => async () => decide("admin", await forAdmin(), "approve", how)),
    reject: (["page", "api"] as const).map((how) => async () => decide("admin", await forAdmin(), "send-back", how)),
    revise: [async () => done(await (await own(await make({ status: "rejected" }))).post("/doctor-verify"))],
    return: (["under review by hospital", "pending admin approval"] as const).map((status) => async () => {
      const entered = await makeHospital(server.db, { status: "pending" });
      await make({ hospital: entered, status });
      await expectEvents(server);
      done(await as.admin.post(`/admin/hospitals/${entered.id}/refuse`, { reason: "No such hospital." }));
    }),
    submit: [() => applied(server)],
    suspend: [
      async () =>
        done(await as.admin.post(`/admin/doctors/${(await make({ status: "verified" })).id}/suspend`, { reason: "A complaint." })),
    ],
    reinstate: [
      async () => done(await as.admin.post(`/admin/doctors/${(await make({ status: "suspended" })).id}/reinstate`, { note: "" })),
    ],
  };
  it.each(Object.entries(RUNS))("%s: one event on each path", async (action, runs) => {
    for (const run of runs) {
      await expectEvents(server);
      await run();
      expect(await expectEvents(server)).toEqual([`doctor.${action}`]);
    }
  });
});

describe("a review", () => {
  it("records each action of its table once", async () => {
    const id = await makeVisit(server.db, { patient, doctor }, { ...nextSlot(-1), status: "completed", completedAt: new Date() });
    const path = `/patient/appointments/${id}/review`;
    const review = async () => (await server.sql<{ id: string }[]>`select id from reviews where appointment_id = ${id}`)[0]!.id;
    const steps: [string | null, () => Promise<Answer>][] = [
      ["write", () => as.patient.post(path, { rating: "4", words: "Namedova was kind" })],
      ["edit", () => as.patient.post(path, { rating: "5", words: "Namedova was kind" })],
      [null, () => as.patient.post(path, { rating: "5", words: "Namedova was kind" })],
      ["keep", async () => as.admin.post(`/admin/reviews/${await review()}`, { intent: "keep" })],
      ["hide", async () => as.admin.post(`/admin/reviews/${await review()}`, { intent: "hide", reason: "A name." })],
      ["show", async () => as.admin.post(`/admin/reviews/${await review()}`, { intent: "show" })],
      ["withdraw", () => as.patient.post(`${path}/take-back`)],
    ];
    expect(steps.flatMap(([action]) => action ?? []).sort()).toEqual([...EVENT_ACTIONS.review].sort() satisfies (ReviewAction | "write")[]);
    await expectEvents(server);
    for (const [action, step] of steps) {
      done(await step());
      expect(await expectEvents(server)).toEqual(action ? [`review.${action}`] : []);
    }
  });
  it("is withdrawn also while hidden", async () => {
    const id = await makeVisit(server.db, { patient, doctor }, { ...nextSlot(-1), status: "completed", completedAt: new Date() });
    const path = `/patient/appointments/${id}/review`;
    done(await as.patient.post(path, { rating: "1", words: "Namedova was late" }));
    const [review] = await server.sql<{ id: string }[]>`select id from reviews where appointment_id = ${id}`;
    done(await as.admin.post(`/admin/reviews/${review!.id}`, { intent: "hide", reason: "A name." }));
    await expectEvents(server);
    done(await as.patient.post(`${path}/take-back`));
    expect(await expectEvents(server)).toEqual(["review.withdraw"]);
  });
});

it("takes each transition of these state tables", () => expectEveryTransition(server, ["appointment", "doctor", "review"]));

it("is compared for each kind of subject, in one of the files", async () => {
  const compared: string[] = [];
  for await (const file of glob("tests/**/*.test.ts"))
    for (const [, list] of (await readFile(file, "utf8")).matchAll(/expectEveryTransition\(\s*server,\s*(\[[^\]]+\])/g))
      compared.push(...JSON.parse(list!));
  expect(Object.keys(EVENT_ACTIONS).filter((subject) => !compared.includes(subject))).toEqual([]);
});

it("gives the place one delivery for each of these events of its doctor, on every path, and none of others", async () => {
  const [sums] = await server.sql<{ events: number; deliveries: number; missing: number; others: number }[]>`
    select count(distinct e.id)::int as events, count(w.id)::int as deliveries,
      count(*) filter (where w.id is null)::int as missing,
      (select count(*)::int from webhook_deliveries o join domain_events f on f.id = o.event_id where f.doctor_id is distinct from ${doctor.id}) as others
    from domain_events e left join webhook_deliveries w on w.event_id = e.id where e.doctor_id = ${doctor.id}`;
  expect(sums!.events).toBeGreaterThan(30);
  expect(sums).toMatchObject({ deliveries: sums!.events, missing: 0, others: 0 });
});

it("stores no name, phone or text of a user", async () => {
  const rows = await server.sql<{ row: string; data: Record<string, string> }[]>`select to_json(e)::text as row, data from domain_events e`;
  expect(rows.length).toBeGreaterThan(20);
  for (const { row, data } of rows) {
    expect(row).not.toMatch(/Namedova|Wolfram|Blurred|complaint|\+91|@/);
    for (const value of Object.values(data)) expect(value).toMatch(/^[a-z][a-z ]+$|^\d{4}-\d\d-\d\d$|^\d\d:\d\d$/);
  }
});

it.each([
  "update domain_events set kind = 'x'",
  "delete from domain_events",
  "truncate domain_events",
  "delete from domain_events where false",
])("refuses also the owner of the table: %s", async (statement) => {
  await expect(server.sql.unsafe(statement)).rejects.toThrow("domain_events is append-only");
});
