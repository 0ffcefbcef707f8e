/** SMS about a queue, sent to a server that speaks MSG91's format: once each, not at night, not after a patient stopped them. */
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { queueEntries } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { setStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { LIMITS } from "#app/domains/platform/limits/limits.ts";
import { saveSettings } from "#app/domains/platform/settings/save-settings.server.ts";
import { msg91 } from "#app/integrations/sms/msg91.server.ts";
import { formatDate, instantInIndia } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import type { JobData } from "#app/queue/queue.server.ts";
import { dayFromNow, makePatient, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { httpStub } from "../../../../tests/mocks/http-stub.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { addEntry } from "../queue/add-entry.server.ts";
import { addWalkIn } from "../queue/add-walk-in.server.ts";
import { callPatient, changeEntry } from "../queue/change-entry.server.ts";
import { expectDoctor } from "../queue/change-session.server.ts";
import { undoCall } from "../queue/undo-call.server.ts";
import { setTokenSms } from "../token-page/press-token.server.ts";
import { sendQueueSms } from "./send-queue-sms.server.ts";

const { db, sql, ctx } = testDb();
const NOON = instantInIndia(dayFromNow(0), "12:00");
const NIGHT = instantInIndia(dayFromNow(0), "21:30");
let doctor: TestDoctor;
let reception: Actor;
let sessionId: string;
let keys = 0;
beforeEach(async () => {
  await sql`delete from queue_sessions`;
  await sql`delete from pgboss.job where name = 'queue-sms'`;
  ({ doctor, reception } = await makeClinic(db));
  sessionId = await makeSession(db, doctor.id);
});
const at = (now = NOON) => ctx(reception, now);
type Job = JobData["queue-sms"];
const jobs = async (): Promise<Job[]> =>
  (await sql<{ data: Job }[]>`select data from pgboss.job where name = 'queue-sms' order by created_on, id`).map(({ data }) => data);

/** A patient who has waited since before, or is expected at noon. */
const add = (over: { state?: "expected" | "arrived"; phone?: string; patientId?: string; name?: string } = {}) =>
  db.transaction(async (tx) => {
    const early: Ctx = { ...at(new Date(NOON.getTime() - minutes(60))), db: tx as unknown as typeof db };
    return addEntry(early, {
      session: { id: sessionId, doctorId: doctor.id },
      kind: "walk-in",
      state: over.state ?? "arrived",
      name: over.name ?? `Patient ${Math.random()}`,
      phone: over.phone ?? newPhone(),
      patientId: over.patientId ?? null,
      dueAt: NOON,
    });
  });
const call = (entryId: string, now?: Date) => callPatient(at(now), { sessionId, entryId });

/** Runs the queued jobs against a server of MSG91's format. Returns what it received. */
async function deliver(now = NOON) {
  await using stub = await httpStub(() => ({ body: '{"message":"1","type":"success"}' }));
  const sms = msg91({ authKey: "k", baseUrl: stub.url, templateIds: {} });
  const sending = ctx(null, now);
  for (const job of await jobs()) await sendQueueSms({ ...sending, integrations: { ...sending.integrations, sms } }, job);
  return stub.seen.map(({ body }) => JSON.parse(String(body)) as { template_id: string; recipients: Record<string, string>[] });
}

describe("three are before you", () => {
  it("is sent once when the fourth patient is called near, also by two presses at once", async () => {
    const phone = newPhone();
    const tokens = [];
    for (let i = 0; i < 5; i++) tokens.push(await add());
    const sixth = await add({ phone });
    await call(tokens[0]!.id);
    // Four are before the sixth; those with at most three got theirs.
    expect((await jobs()).map(({ entryId }) => entryId).toSorted()).toEqual(
      tokens
        .slice(1)
        .map(({ id }) => id)
        .toSorted(),
    );
    const presses = await Promise.allSettled([call(tokens[1]!.id), call(tokens[1]!.id)]);
    expect(presses.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await jobs()).filter(({ entryId }) => entryId === sixth.id)).toMatchObject([{ entryId: sixth.id, kind: "soon" }]);
    await call(tokens[2]!.id);
    expect((await jobs()).filter(({ entryId }) => entryId === sixth.id)).toHaveLength(1);
    const sent = await deliver();
    expect(sent.find(({ recipients }) => recipients[0]!.mobiles === phone.slice(1))).toMatchObject({
      template_id: "nadi-soon",
      recipients: [{ token: "6", code: sixth.code }],
    });
    // Who has been called meanwhile gets none: the third and the second.
    expect(sent).toHaveLength(3);
  });

  it("is written in the language of the account, and not sent without its reminders", async () => {
    const [patient, silent] = [await makePatient(db), await makePatient(db)];
    await sql`update users set language = 'te' where id = ${patient.id}`;
    await sql`insert into user_settings (user_id, chosen) values (${silent.id}, '{"notifications":{"appointmentReminders":false}}')`;
    const first = await add();
    await add({ patientId: patient.id });
    await add({ patientId: silent.id });
    await call(first.id);
    expect(await deliver()).toMatchObject([{ template_id: "nadi-soon-te" }]);
  });

  it("waits a moment, is not sent for a call that is taken back, and once when the patient is called after all", async () => {
    const [first, second, third] = [await add(), await add(), await add()];
    await call(first.id);
    await sql`update queue_entries set soon_sms_at = null`;
    await sql`delete from pgboss.job where name = 'queue-sms'`;
    await call(second.id);
    const [wait] = await sql<
      { wait: number }[]
    >`select extract(epoch from start_after - created_on)::int as wait from pgboss.job where name = 'queue-sms'`;
    expect(wait!.wait).toBeGreaterThanOrEqual(10);
    await undoCall(at(new Date(NOON.getTime() + 5000)), { sessionId, entryId: second.id });
    // The patients are as near as before the call: the SMS of now are other ones.
    await sql`update queue_entries set soon_sms_at = null where soon_sms_at > ${NOON.toISOString()}`;
    expect(await deliver()).toEqual([]);
    await sql`delete from pgboss.job where name = 'queue-sms'`;
    await call(second.id, new Date(NOON.getTime() + 20_000));
    expect((await jobs()).map(({ entryId }) => entryId)).toEqual([third.id]);
    expect(await deliver()).toHaveLength(1);
  });

  it("is not sent at night, nor to patients who stopped SMS, who just arrived, or whose time is far away", async () => {
    const [first, stopped, fresh, far] = [await add(), await add(), await add(), await add({ state: "expected" })];
    await setTokenSms(at(), { code: stopped.code, stopped: true });
    await db.update(queueEntries).set({ arrivedAt: NOON }).where(eq(queueEntries.id, fresh.id));
    await db
      .update(queueEntries)
      .set({ dueAt: new Date(NOON.getTime() + minutes(180)) })
      .where(eq(queueEntries.id, far.id));
    await sql`delete from pgboss.job where name = 'queue-sms'`;
    await sql`update queue_entries set soon_sms_at = null`;
    await call(first.id);
    expect(await jobs()).toEqual([]);
    await setTokenSms(at(), { code: stopped.code, stopped: false });
    expect(await jobs()).toMatchObject([{ entryId: stopped.id, kind: "soon" }]);
    expect(await deliver(NIGHT)).toEqual([]);
    // Stopped after it was queued.
    await setTokenSms(at(), { code: stopped.code, stopped: true });
    expect(await deliver()).toEqual([]);
    await sql`update queue_entries set soon_sms_at = null, arrived_at = now() - interval '1 day' where id = ${fresh.id}`;
    await sql`delete from pgboss.job where name = 'queue-sms'`;
    await changeEntry(at(NIGHT), { sessionId, entryId: stopped.id, action: "leave" });
    expect(await jobs()).toEqual([]);
  });
});

describe("a walk-in", () => {
  const walkIn = (phone: string, over: { formKey?: string; now?: Date } = {}) =>
    addWalkIn(at(over.now), { sessionId, phone, name: `Walk-in ${++keys}`, formKey: over.formKey ?? `key-${keys}` });

  it("gets an SMS with token and link once, also at night, and none after leaving or STOP", async () => {
    const [phone, gone, silent] = [newPhone(), newPhone(), newPhone()];
    await setStopped(at(), silent, true);
    const { id, code, sms } = await walkIn(phone, { formKey: "pressed-twice", now: NIGHT });
    expect(sms).toBe(true);
    expect(await walkIn(phone, { formKey: "pressed-twice", now: NIGHT })).toMatchObject({ id, sms: false });
    expect(await walkIn(silent)).toMatchObject({ sms: false });
    const left = await walkIn(gone);
    await changeEntry(at(), { sessionId, entryId: left.id, action: "leave" });
    expect(await deliver(NIGHT)).toMatchObject([
      { template_id: "nadi-token", recipients: [{ mobiles: phone.slice(1), token: "1", code }] },
    ]);
  });

  it("is not promised one while the account of the phone has reminders off, and none is spent", async () => {
    const patient = await makePatient(db);
    await saveSettings(ctx(patient.actor), "notifications", { appointmentReminders: false });
    expect(await walkIn(patient.phone)).toMatchObject({ sms: false });
    expect(await jobs()).toEqual([]);
    await saveSettings(ctx(patient.actor), "notifications", { appointmentReminders: true });
    for (let i = 0; i < LIMITS["token-sms"].max; i++) expect(await walkIn(patient.phone)).toMatchObject({ sms: true });
  });

  it("names neither doctor nor patient", async () => {
    await walkIn(newPhone());
    const [sent] = await deliver();
    expect(Object.keys(sent!.recipients[0]!).toSorted()).toEqual(["code", "host", "mobiles", "token"]);
  });

  it("is limited for each phone: a further token is given without an SMS", async () => {
    const phone = newPhone();
    const given = [];
    for (let i = 0; i < LIMITS["token-sms"].max + 1; i++) given.push(await walkIn(phone));
    expect(given.map(({ sms }) => sms)).toEqual([...Array.from({ length: LIMITS["token-sms"].max }, () => true), false]);
    expect(await walkIn(newPhone())).toMatchObject({ sms: true });
  });

  it("who was expected with a booking gets none at the check-in", async () => {
    const phone = newPhone();
    const { id } = await add({ state: "expected", phone, name: "Booked" });
    expect(await addWalkIn(at(), { sessionId, phone, name: "Booked", formKey: "check-in" })).toMatchObject({
      id,
      arrived: true,
      sms: false,
    });
    expect(await jobs()).toEqual([]);
  });
});

describe("the doctor is late", () => {
  it("is sent once to patients at home for each announced time, with doctor, date and time", async () => {
    await sql`update queue_sessions set state = 'planned', doctor_in_at = null, starts_at = '12:00', ends_at = '15:00'`;
    const phone = newPhone();
    const home = await add({ state: "expected", phone });
    await add();
    const expectAt = (time: string) => expectDoctor(at(), { sessionId, at: time });
    expect(await Promise.all([expectAt("12:30"), expectAt("12:30")])).toEqual(expect.arrayContaining([{ notified: 1 }, { notified: 0 }]));
    expect(await jobs()).toEqual([{ entryId: home.id, kind: "late", late: 30 }]);
    const sent = { template_id: "nadi-late", recipients: [{ mobiles: phone.slice(1), token: "1", time: "12:30 PM", code: home.code }] };
    expect(await deliver()).toMatchObject([sent]);
    // The SMS of the first announcement, sent after the second one, would have an old time.
    await expectAt("13:00");
    const [only, ...more] = await deliver();
    expect(more).toEqual([]);
    expect(only!.recipients[0]).toMatchObject({ time: "1:00 PM", date: formatDate(dayFromNow(0)), doctor: expect.stringMatching(/^Dr/) });
    await sql`update queue_sessions set state = 'open', doctor_in_at = now()`;
    expect(await deliver()).toEqual([]);
  });

  it("is not sent at night: the time is shown only", async () => {
    await sql`update queue_sessions set state = 'planned', doctor_in_at = null, starts_at = '21:00', ends_at = '23:00'`;
    await add({ state: "expected" });
    expect(await expectDoctor(at(NIGHT), { sessionId, at: "22:00" })).toEqual({ notified: 0 });
    expect(await jobs()).toEqual([]);
  });
});
