/** The queue of a session over HTTP: a receptionist runs a morning with plain forms, another user reads nothing, and a killed server loses nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { QUEUE_ENTRY_ACTIONS, type QueueEntryAction } from "#app/domains/waiting-room/queue/entry.state.ts";
import { QUEUE_SESSION_ACTIONS, type QueueSessionAction } from "#app/domains/waiting-room/queue/session.state.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import type { QueueEntryState, QueueSessionState } from "#app/lib/vocabulary.ts";
import { inDatabase } from "../../scripts/databases.ts";
import { makeAdmin } from "../factories/cases.ts";
import { makeMember } from "../factories/members.ts";
import { dayFromNow, makePatient, makeVisit, newPhone, type Person, typed } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { plain } from "../setup/applications.ts";
import { serverAddress } from "../setup/database.ts";
import type { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEvents, expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

type Clinic = Awaited<ReturnType<typeof makeClinic>>;
let server: TestServer;
let [own, other]: [Clinic, Clinic] = [] as never;
let patient: Person;
const as: Record<string, Browser> = {};
const SECRET = "Secretia Patientova";
const DESK = "/desk/queue";

beforeAll(async () => {
  server = await startServer({ seed: false });
  await watchChanges(server);
  const { db } = server;
  [own, other] = [await makeClinic(db), await makeClinic(db)];
  patient = await makePatient(db);
  const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
  const login = async (who: Actor) => loginAs(server, { role: who.role, email: await emailOf(who.userId) });
  Object.assign(as, {
    reception: await login(own.reception),
    second: await login(await makeMember(db, own.place.id, "reception")),
    owner: await login(own.place.owner),
    billing: await login(await makeMember(db, own.place.id, "billing")),
    ended: await login(await makeMember(db, own.place.id, "reception", { state: "ended" })),
    suspended: await login(await makeMember(db, own.place.id, "owner", { state: "suspended" })),
    "of another doctor": await login(await makeMember(db, own.place.id, "reception", { doctorIds: [other.doctor.id] })),
    "another place": await login(other.reception),
    "another doctor": await loginAs(server, { role: "doctor", email: other.doctor.email }),
    doctor: await loginAs(server, { role: "doctor", email: own.doctor.email }),
    patient: await loginAs(server, { role: "patient", phone: patient.phone }),
    admin: await loginAs(server, await makeAdmin(db)),
  });
});
afterAll(() => server?.stop());

const rows = (sessionId: string) =>
  server.sql<{ id: string; number: number; state: string; code: string; priority: string }[]>`
    select id, number, state, code, priority from queue_entries where session_id = ${sessionId} order by number`;
const states = async (sessionId: string) => (await rows(sessionId)).map(({ state }) => state);
const page = async (sessionId: string, who = as.reception!) => plain((await who.get(`${DESK}?session=${sessionId}`)).text);
let keys = 0;
const walkIn = (sessionId: string, phone: string, name: string, more: Record<string, string> = {}) =>
  as.reception!.post(DESK, { intent: "add", sessionId, phone, name, formKey: `walk-in-key-${++keys}`, ...more });
const press = (sessionId: string, intent: string, entryId: string, who = as.reception!) => who.post(DESK, { intent, sessionId, entryId });
const newSession = async (part: "morning" | "afternoon" | "evening", state: "planned" | "open" = "open") => {
  await server.sql`delete from appointments where doctor_id = ${own.doctor.id}`;
  await server.sql`delete from queue_sessions where doctor_id = ${own.doctor.id}`;
  return makeSession(server.db, own.doctor.id, { part, state });
};

describe("a receptionist without scripts", () => {
  it("runs a session: token, call, skip and back, emergency, done, close", async () => {
    const visit = await makeVisit(
      server.db,
      { patient, doctor: own.doctor },
      { date: dayFromNow(0), time: "00:05", status: "accepted", name: "Lakshmi Devi" },
    );
    await server.sql`delete from queue_sessions`;
    await makeSession(server.db, own.doctor.id, { state: "planned" });
    expect((await as.reception!.get(DESK)).status).toBe(200);
    const [session] = await server.sql<
      { id: string; state: string }[]
    >`select id, state from queue_sessions where doctor_id = ${own.doctor.id}`;
    expect(session!.state).toBe("planned");
    const { id } = session!;
    expect(await page(id)).toMatch(/Doctor not here yet.*Doctor is in.*Lakshmi Devi/);
    expect((await as.reception!.post(DESK, { intent: "open", sessionId: id })).location).toBe(`${DESK}?session=${id}`);
    const given = await walkIn(id, "90000 00188", "Charan Mekala");
    expect(given.status, given.text.slice(0, 300)).toBe(303);
    expect(plain((await as.reception!.get(given.location!)).text)).toContain("Token 2 for Charan Mekala.");
    await walkIn(id, "9000000188", "Keerthana Mekala");
    await walkIn(id, "9000000189", "Lingamma Boya", { intent: "add-emergency" });
    const [booked, charan, keerthana, emergency] = await rows(id);
    await press(id, "arrive", booked!.id);
    expect(await page(id)).toMatch(/Next patient\s*4, Lingamma Boya, emergency/);
    await press(id, "call", emergency!.id);
    await press(id, "enter", emergency!.id);
    expect(await page(id)).toMatch(/Now seeing\s*4.*Next patient\s*1, Lakshmi Devi/);
    await press(id, "call", booked!.id);
    await press(id, "skip", booked!.id);
    await press(id, "return", booked!.id);
    expect(await page(id)).toMatch(/Next patient\s*2, Charan Mekala/);
    await press(id, "call", charan!.id);
    await press(id, "enter", charan!.id);
    await press(id, "leave", keerthana!.id);
    const asked = plain((await as.reception!.get(`${DESK}/${id}/close`)).text);
    expect(asked).toMatch(/1 patient will not be seen.*Lakshmi Devi.*counts as done.*Charan Mekala/);
    expect((await as.reception!.post(`${DESK}/${id}/close`, {})).location).toBe(`${DESK}?session=${id}`);
    expect(await states(id)).toEqual(["unseen", "done", "left", "done"]);
    expect((await server.sql`select status, no_show_at from appointments where id = ${visit}`)[0]).toMatchObject({
      status: "cancelled",
      no_show_at: null,
    });
  });
  it("takes back Done that was pressed by mistake, once, until the session is closed, and other members cannot", async () => {
    const id = await newSession("morning");
    await walkIn(id, "9000000194", "Charan Mekala");
    await walkIn(id, "9000000195", "Basha Shaik");
    const [first] = await rows(id);
    for (const intent of ["call", "enter", "finish"]) await press(id, intent, first!.id);
    expect(await page(id)).toMatch(/Seen and left.*Charan Mekala.*Back to the queue/);
    for (const name of ["billing", "ended", "another place", "another doctor", "patient"])
      await press(id, "undo-finish", first!.id, as[name]!);
    expect(await states(id)).toEqual(["done", "arrived"]);
    const twice = await Promise.all([press(id, "undo-finish", first!.id), press(id, "undo-finish", first!.id, as.second!)]);
    expect(twice.map(({ status }) => status)).toEqual([303, 303]);
    expect(await states(id)).toEqual(["arrived", "arrived"]);
    expect(await page(id)).toMatch(/Next patient\s*1, Charan Mekala/);
    const undone = await server.sql`
      select 1 from audit_log where subject_id = ${id} and action = 'change-queue' and details->>'change' = 'undo-finish'`;
    expect(undone).toHaveLength(1);
    for (const intent of ["call", "enter", "finish"]) await press(id, intent, first!.id);
    await as.reception!.post(`${DESK}/${id}/close`, {});
    expect((await press(id, "undo-finish", first!.id)).status).toBe(409);
    expect(await states(id)).toEqual(["done", "unseen"]);
  });
  it("gets a clear answer when the other receptionist was first", async () => {
    const id = await newSession("morning");
    await walkIn(id, "9000000190", "Charan Mekala");
    await walkIn(id, "9000000191", "Basha Shaik");
    const [first] = await rows(id);
    const answers = await Promise.all([press(id, "call", first!.id), press(id, "call", first!.id, as.second!)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(plain(answers.find(({ status }) => status === 409)!.text)).toContain("Token 1 has already been called.");
    expect(await states(id)).toEqual(["called", "arrived"]);
  });
  it("gets one token for a form that is sent twice, and errors beside the fields", async () => {
    const id = await newSession("morning");
    const fields = { intent: "add", sessionId: id, phone: "9000000192", name: "Charan", formKey: "the-same-key" };
    await Promise.all([as.reception!.post(DESK, fields), as.reception!.post(DESK, fields)]);
    expect(await rows(id)).toHaveLength(1);
    for (const phone of ["123", "90000 00192 5", "+971 50 123 4567"]) {
      const wrong = await walkIn(id, phone, "Charan");
      expect(wrong.status).toBe(400);
      expect(plain(wrong.text)).toContain("Enter a phone number of 10 digits.");
    }
    expect(plain((await walkIn(id, "9000000193", "")).text)).toContain("Enter the name of the patient.");
    const known = await walkIn(id, "9000000192", "charan");
    expect([known.status, plain(known.text).includes("This patient already has token 1.")]).toEqual([409, true]);
    // The member says who it is: the same patient, or another of this name.
    expect(known.text).toContain('value="charan||"');
    expect(known.text).toContain('value="twin"');
    expect((await walkIn(id, "9000000192", "charan", { who: "charan||" })).status).toBe(303);
    expect(await rows(id)).toHaveLength(1);
    const twin = { who: "twin", formKey: "key-of-a-twin" };
    const pressed = await Promise.all([walkIn(id, "9000000192", "charan", twin), walkIn(id, "9000000192", "charan", twin)]);
    expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
    expect(await rows(id)).toHaveLength(2);
    expect(await page(id)).toContain("charan 2");
    expect((await walkIn(id, "9000000194", "R")).status).toBe(303);
  });
  it("chooses among the known patients of a phone", async () => {
    const id = await newSession("morning");
    const mother = await makePatient(server.db);
    await makeVisit(server.db, { patient: mother, doctor: own.doctor }, { name: "Sandhya Mekala" });
    const empty = await as.reception!.post(DESK, { intent: "find", sessionId: id, phone: "", name: "" });
    expect(plain(empty.text)).toContain("Enter a phone number or a name.");
    const none = await as.reception!.post(DESK, { intent: "find", sessionId: id, phone: typed(newPhone()) });
    expect(plain(none.text)).toContain("No such patient yet.");
    const found = await as.reception!.post(DESK, { intent: "find", sessionId: id, phone: typed(mother.phone) });
    expect(found.text).toContain('value="Sandhya Mekala|40|female"');
    const given = await as.reception!.post(DESK, {
      intent: "add",
      sessionId: id,
      phone: typed(mother.phone),
      who: "Sandhya Mekala|40|female",
      formKey: "key-of-sandhya",
    });
    expect(plain((await as.reception!.get(given.location!)).text)).toContain("Sandhya Mekala 40 years, female");
  });
  it("prints a slip without the name", async () => {
    const id = await newSession("morning");
    await walkIn(id, "9000000194", SECRET);
    const [entry] = await rows(id);
    const { text } = await as.reception!.get(`${DESK}/${id}/slip/${entry!.id}`);
    expect(text).toContain(`/q/${entry!.code}`);
    expect(text).not.toContain(SECRET);
  });
});

describe("the doctor", () => {
  it("starts a queue, calls and closes on their own page, and a missed patient can be undone", async () => {
    await server.sql`delete from queue_sessions`;
    await server.sql`delete from appointments`;
    const page = await as.doctor!.get("/doctor/queue");
    expect(plain(page.text)).toContain("No queue today");
    const started = await as.doctor!.post("/doctor/queue", { intent: "start", practiceId: own.doctor.id });
    const id = new URL(started.location!, server.url).searchParams.get("session")!;
    await as.doctor!.post("/doctor/queue", { intent: "open", sessionId: id });
    // Started after closing: the closed queue with the button that opens it again.
    await as.doctor!.post(`/doctor/queue/${id}/close`, {});
    const again = await as.doctor!.post("/doctor/queue", { intent: "start", practiceId: own.doctor.id });
    expect([again.status, again.location]).toEqual([303, `/doctor/queue?session=${id}`]);
    const closed = plain((await as.doctor!.get(again.location!)).text);
    for (const words of ["This queue was closed.", "Open again"]) expect(closed).toContain(words);
    await server.sql`delete from queue_sessions`;
    await makeSession(server.db, own.doctor.id, { state: "planned" });
    const visit = await makeVisit(
      server.db,
      { patient, doctor: own.doctor },
      { date: dayFromNow(0), time: "00:01", status: "accepted", name: "Absent" },
    );
    // The page stores nothing: the first press stores the token that it shows.
    const shown = / name="sessionId" value="([^"]+)"/.exec((await as.doctor!.get("/doctor/queue")).text)![1]!;
    expect(await rows(shown)).toEqual([]);
    await as.doctor!.post("/doctor/queue", { intent: "open", sessionId: shown });
    const [session] = await server.sql<{ id: string }[]>`select session_id as id from queue_entries where appointment_id = ${visit}`;
    expect(session!.id).toBe(shown);
    await as.doctor!.post(`/doctor/queue/${session!.id}/close`, {});
    expect((await server.sql`select no_show_at from appointments where id = ${visit}`)[0]!.no_show_at).not.toBeNull();
    const [entry] = await rows(session!.id);
    expect((await as.doctor!.post("/doctor/queue", { intent: "undo-miss", sessionId: session!.id, entryId: entry!.id })).status).toBe(303);
    expect((await server.sql`select no_show_at from appointments where id = ${visit}`)[0]!.no_show_at).toBeNull();
    expect(plain((await as.doctor!.get(`/doctor/queue?session=${session!.id}`)).text)).toContain("Complete");
  });
});

describe("access", () => {
  const NEVER = ["billing", "ended", "suspended", "of another doctor", "another place", "another doctor", "patient", "admin"];
  it.each(NEVER)("reads and changes nothing of a queue: %s", async (name) => {
    const who = as[name]!;
    const id = await newSession("morning");
    await walkIn(id, "9000000195", SECRET);
    const [entry] = await rows(id);
    for (const area of [DESK, "/doctor/queue"]) {
      for (const path of [area, `${area}?session=${id}`, `${area}/${id}/close`, `${area}/${id}/slip/${entry!.id}`])
        for (const url of [path, path.replace(/^([^?]*)/, "$1.data")]) {
          const answer = await who.get(url);
          expect(answer.text, `${name} ${url}`).not.toContain(SECRET);
          expect(answer.text, `${name} ${url}`).not.toContain(entry!.code);
        }
      for (const intent of ["open", "pause", "close", "call", "call-now", "leave", "emergency", "expect", "add", "find"]) {
        const fields = {
          intent,
          sessionId: id,
          entryId: entry!.id,
          at: "23:00",
          phone: "9000000196",
          name: "Thief",
          formKey: "key-of-a-thief",
        };
        expect((await who.post(area, fields)).text).not.toContain(SECRET);
      }
      await who.post(`${area}/${id}/close`, {});
    }
    expect(await rows(id)).toMatchObject([{ state: "arrived", priority: "normal" }]);
    expect((await server.sql`select state, late_minutes from queue_sessions where id = ${id}`)[0]).toEqual({
      state: "open",
      late_minutes: 0,
    });
  });
  it("is given to the owner, receptionists and the doctor", async () => {
    const id = await newSession("morning");
    await walkIn(id, "9000000197", SECRET);
    for (const who of ["owner", "reception", "second"]) expect(await page(id, as[who]!)).toContain(SECRET);
    expect(plain((await as.doctor!.get("/doctor/queue")).text)).toContain(SECRET);
  });
});

const cases = <A extends string, S extends string>(table: Record<A, { from: readonly S[] }>) =>
  (Object.keys(table) as A[]).flatMap((action) => table[action].from.map((from) => [action, from] as const));
/** The sweep alone does it (domain-events-jobs.test.ts). */
const isByJob = (action: QueueEntryAction) => action === "lapse";

describe("closing with patients who wait", () => {
  const close = (id: string, form: Record<string, string>, who = as.reception!) => who.post(`${DESK}/${id}/close`, form);
  const smsOf = (id: string) => server.sql`
    select from pgboss.job j join queue_entries e on e.id = (j.data ->> 'entryId')::uuid
    where j.name = 'queue-sms' and j.data ->> 'kind' = 'closed' and e.session_id = ${id}`;

  it("counts them, says who gets an SMS, and offers the tick", async () => {
    const id = await newSession("morning");
    await walkIn(id, "9000000191", "Venkata Ramana");
    await walkIn(id, "9000000192", "Basha Shaik");
    const [, second] = await rows(id);
    await server.sql`update queue_entries set sms_stopped = true where id = ${second!.id}`;
    const { text } = await as.reception!.get(`${DESK}/${id}/close`);
    expect(plain(text)).toMatch(
      /2 patients will not be seen.*2 wait here now and go home unseen.*Venkata Ramana.*SMS.*Basha Shaik.*SMS stopped: tell the patient/,
    );
    expect(plain(text)).toMatch(/Send SMS: choose another time.*This cannot be undone.*Close, send 1 SMS.*Keep it open/);
    expect(text).toMatch(/<input type="checkbox"[^>]* name="sms" checked/);
    expect(text).toContain('name="unseen" value="1 2"');
  });

  it("refuses when another patient came meanwhile, and closes once for two receptionists", async () => {
    const id = await newSession("morning");
    await walkIn(id, "9000000193", "Lakshmi Prasanna");
    const seen = { unseen: "1", sms: "on" };
    await walkIn(id, "9000000194", "Came Meanwhile");
    const refused = await close(id, seen);
    expect(refused.status).toBe(409);
    expect(plain(refused.text)).toMatch(/The queue has changed meanwhile.*Came Meanwhile|Came Meanwhile.*The queue has changed meanwhile/);
    expect(await states(id)).toEqual(["arrived", "arrived"]);
    const both = await Promise.all([as.reception!, as.second!].map((who) => close(id, { unseen: "1 2", sms: "on" }, who)));
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(await states(id)).toEqual(["unseen", "unseen"]);
    expect(await smsOf(id)).toHaveLength(2);
    expect(await page(id)).toMatch(/Closed at.*2 patients were not seen.*Not seen: closed/);
  });

  it("sends none without the tick", async () => {
    const id = await newSession("morning");
    await walkIn(id, "9000000195", "Lakshmi Prasanna");
    expect((await close(id, { unseen: "1" })).status).toBe(303);
    expect(await states(id)).toEqual(["unseen"]);
    expect(await smsOf(id)).toHaveLength(0);
  });
});

describe("one event", () => {
  it.each(cases<QueueSessionAction, QueueSessionState>(QUEUE_SESSION_ACTIONS))("for %s of a session that is %s", async (action, from) => {
    const id = await newSession("morning");
    await server.sql`update queue_sessions set state = ${from} where id = ${id}`;
    const act = () =>
      action === "close" ? as.reception!.post(`${DESK}/${id}/close`, {}) : as.reception!.post(DESK, { intent: action, sessionId: id });
    await expectEvents(server);
    // The second press of a button changes nothing.
    for (const events of [[`queue-session.${action}`], []]) {
      expect((await act()).status).toBe(303);
      expect(await expectEvents(server)).toEqual(events);
    }
  });
  it.each(
    cases<QueueEntryAction, QueueEntryState>(QUEUE_ENTRY_ACTIONS).filter(([action]) => !isByJob(action) && action !== "return-inside"),
  )("for %s of an entry that is %s", async (action, from) => {
    const id = await newSession("morning");
    const slot = { date: dayFromNow(0), time: "00:00", status: "accepted" } as const;
    const visit = await makeVisit(server.db, { patient, doctor: own.doctor }, slot);
    // Due at the appointment's time: otherwise the press gives the appointment another token first.
    const due = action === "unseen" ? new Date(Date.now() + 3_600_000) : instantInIndia(slot.date, slot.time);
    const [entry] = await server.sql<{ id: string }[]>`
      insert into queue_entries (session_id, appointment_id, number, kind, name, phone, state, code, due_at, arrived_at)
      values (${id}, ${visit}, 1, 'booked', '', '', ${from}, ${id.slice(0, 12)}, ${due}, ${from === "expected" || action === "undo-lapse" ? null : new Date()}) returning id`;
    if (action === "undo-call") {
      // The call ended the visit of another patient, who is inside again.
      await server.sql`update queue_sessions set calls = 2 where id = ${id}`;
      await server.sql`update queue_entries set called_at = date_trunc('milliseconds', now()), call_number = 2 where id = ${entry!.id}`;
      await server.sql`
          insert into queue_entries (session_id, number, kind, name, phone, state, code, due_at, arrived_at, done_at, call_number)
          select ${id}, 2, 'walk-in', '', '', 'done', ${`${id.slice(0, 11)}x`}, ${due}, ${due}, called_at, 1 from queue_entries where id = ${entry!.id}`;
    }
    if (action === "undo-lapse") await server.sql`update queue_sessions set state = 'closed' where id = ${id}`;
    const act = () =>
      action === "undo-lapse"
        ? as.reception!.post(DESK, { intent: "reopen", sessionId: id })
        : action === "miss" || action === "unseen"
          ? as.reception!.post(`${DESK}/${id}/close`, {})
          : action === "complete"
            ? as.doctor!.post(`/doctor/appointments/${visit}/complete`)
            : action === "undo-miss"
              ? as.doctor!.post("/doctor/queue", { intent: action, sessionId: id, entryId: entry!.id })
              : press(id, action, entry!.id);
    const ofEntry = async () => (await expectEvents(server)).filter((kind) => kind.startsWith("queue-entry."));
    await ofEntry();
    const pressed = await act();
    expect(pressed.status, plain(pressed.text).slice(0, 300)).toBe(303);
    expect(await ofEntry()).toEqual([`queue-entry.${action}`, ...(action === "undo-call" ? ["queue-entry.return-inside"] : [])]);
    await act();
    expect(await ofEntry()).toEqual([]);
  });
});

it("a killed server has the same queue after its restart, and answers the repeated press", async () => {
  const id = await newSession("morning");
  await walkIn(id, "9000000198", "Charan Mekala");
  await walkIn(id, "9000000199", "Basha Shaik");
  const [first, second] = await rows(id);
  await press(id, "call", first!.id);
  const queueOf = (text: string) => plain(text).replace(/.*?(Now)/, "$1");
  const before = queueOf((await as.reception!.get(`${DESK}?session=${id}`)).text);
  // This press is cut off in the middle.
  const cut = press(id, "call", second!.id).catch(() => null);
  const { port, dataDir } = server;
  const [{ name }] = (await server.sql`select current_database() as name`) as unknown as [{ name: string }];
  server.child.kill("SIGKILL");
  await cut;
  const again = await startServer({ seed: false, database: inDatabase(serverAddress(), name), dataDir, env: { PORT: String(port) } });
  try {
    const [now] = await again.sql<{ state: string }[]>`select state from queue_entries where id = ${second!.id}`;
    const after = queueOf((await as.reception!.get(`${DESK}?session=${id}`)).text);
    if (now!.state === "arrived") expect(after).toBe(before);
    const answer = await press(id, "call", second!.id);
    expect(answer.status).toBe(now!.state === "called" ? 409 : 303);
    expect(
      (await again.sql`select number, state from queue_entries where session_id = ${id} order by number`).map(({ state }) => state),
    ).toEqual(["done", "called"]);
  } finally {
    await again.stop();
  }
});

it("records one event for each state change of these pages, and takes each transition of the state tables", () =>
  expectEveryTransition(
    server,
    ["queue-session", "queue-entry"],
    Object.fromEntries(
      QUEUE_ENTRY_ACTIONS.lapse.from.map((from) => [`queue-entry.lapse from ${from}`, "the sweep does it: domain-events-jobs.test.ts"]),
    ),
  ));
