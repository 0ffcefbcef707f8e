/** Notifications in browsers, from the change to a push service that decrypts them. */
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { notifications, pushSubscriptions, sessions, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { appointmentQueries } from "#app/domains/booking/appointments/send-reminders.server.ts";
import { openSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { publicPoster } from "#app/integrations/public-http/post-public.server.ts";
import { webPush } from "#app/integrations/push/web-push.server.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { type PushService, startPushService } from "../../../../tests/setup/push-service.ts";
import { notify } from "../../../../tests/setup/record.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import type { NotificationKind, NotificationParams } from "../notifications/kinds.ts";
import { saveSettings } from "../settings/save-settings.server.ts";
import { sendNotificationPush } from "./deliver-push.server.ts";

const { db, sql, ctx } = testDb();
let service: PushService;
let [patient, doctor]: [Person, TestDoctor] = [] as never;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());
beforeEach(async () => {
  patient = await makePatient(db);
  doctor = await makeDoctor(db, { name: "Dr. Lock Screen" });
  await sql`delete from pgboss.job`;
  service.delivered.length = service.calls.length = service.faults.length = 0;
  service.replies.clear();
});

/** Logs a user in on a browser that shows notifications. */
async function addBrowser(who: Person = patient) {
  const browser = service.subscribe();
  const sessionHash = hashToken(await openSession(ctx(), who.actor, "Chrome"));
  const { endpoint, p256dh, auth, path } = browser;
  const id = crypto.randomUUID();
  const address = sealed(pushSubscriptions.address, id, { endpoint, p256dh, auth });
  await db
    .insert(pushSubscriptions)
    .values({ id, userId: who.id, sessionHash, endpointHash: hashToken(endpoint), address, userAgent: "Chrome" });
  return { id, path, sessionHash };
}
type Data = { notificationId: string; subscriptionId: string; tries?: number };
const jobs = async () =>
  (
    await sql<{ data: Data; after: number }[]>`
      select data, extract(epoch from start_after - created_on)::int as after from pgboss.job where name = 'notification-push' order by created_on`
  ).map(({ data, after }) => ({ data, after }));
const params = { doctor: "Dr. Lock Screen", patient: "Secretia", date: dayFromNow(2), time: "10:00" };
const tell = (kind: NotificationKind, more: NotificationParams = {}, who: Person = patient, at?: Date) =>
  notify(ctx(null, at), who.id, kind, { ...params, ...more }, { page: "patient-calendar" });
/** Runs a job as the worker does. */
const run = (data: Data, now = new Date()) => {
  const at = ctx(null, now);
  const push = webPush(env().push!, publicPoster({ testOrigin: service.origin, limit: 2000 }));
  return sendNotificationPush({ ...at, integrations: { ...at.integrations, push } }, data, appointmentQueries);
};
const runAll = async (now?: Date) => {
  for (const { data } of await jobs()) await run(data, now);
};
const shown = () => service.delivered.map(({ text }) => JSON.parse(text));

describe("a notification", () => {
  it("reaches each browser of its reader, in their language, without a name", async () => {
    const [one, two] = [await addBrowser(), await addBrowser()];
    await addBrowser(await makePatient(db));
    await db.update(users).set({ language: "hi" }).where(eq(users.id, patient.id));
    await tell("appointment-accepted");
    await runAll();
    expect(service.faults).toEqual([]);
    expect(service.delivered.map(({ path }) => path).sort()).toEqual([one.path, two.path].sort());
    expect(shown()[0]).toMatchObject({ lang: "hi", body: "पढ़ने के लिए नाड़ी खोलें।" });
    for (const { text } of service.delivered) expect(text).not.toMatch(/Secretia|Lock Screen/);
    const [row] = await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.id, one.id));
    expect(row!.lastSentAt).not.toBeNull();
  });
  it("adds no job when it is rolled back, or when its reader has no browser", async () => {
    await tell("appointment-accepted");
    await addBrowser();
    const failed = db.transaction(async (tx) => {
      await notify({ ...ctx(), db: tx as never }, patient.id, "appointment-accepted", params, { page: "patient-calendar" });
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect(await jobs()).toEqual([]);
  });
  it("replaces an older one about the same appointment, and no other", async () => {
    await addBrowser();
    await tell("appointment-accepted", { appointment: "one" });
    await tell("appointment-cancelled-by-doctor", { appointment: "one" });
    await tell("payment-received", { appointment: "one", amount: "500" });
    await tell("appointment-accepted", { appointment: "two" });
    await runAll();
    const topics = service.delivered.map(({ headers }) => headers.topic);
    expect(topics[0]).toBe(topics[1]);
    expect(new Set(topics).size).toBe(3);
    expect(topics[0]).toMatch(/^[\w-]{32}$/);
    expect(shown().map(({ tag }) => tag)).toEqual(topics);
  });
});

describe("nothing is sent", () => {
  const nothing = async (now?: Date) => {
    await runAll(now);
    expect(service.calls).toEqual([]);
  };
  it("for a kind that its reader switched off", async () => {
    await addBrowser();
    await saveSettings(ctx(patient.actor), "push", { appointments: false });
    await tell("appointment-accepted");
    await nothing();
  });
  it("after it was read or deleted", async () => {
    await addBrowser();
    await tell("appointment-accepted");
    await db.update(notifications).set({ readAt: new Date() }).where(eq(notifications.userId, patient.id));
    await nothing();
  });
  it("after the login of the browser has expired", async () => {
    const { sessionHash } = await addBrowser();
    await tell("appointment-accepted");
    await db.update(sessions).set({ expiresAt: new Date() }).where(eq(sessions.tokenHash, sessionHash));
    await nothing();
  });
  it("after the session was ended: its browser is gone", async () => {
    const { sessionHash } = await addBrowser();
    await tell("appointment-accepted");
    await db.delete(sessions).where(eq(sessions.tokenHash, sessionHash));
    expect(await db.$count(pushSubscriptions, eq(pushSubscriptions.userId, patient.id))).toBe(0);
    await nothing();
  });
  it("to a disabled account", async () => {
    await addBrowser();
    await tell("appointment-accepted");
    await db.update(users).set({ status: "disabled" }).where(eq(users.id, patient.id));
    await nothing();
  });
  it("after half a day", async () => {
    await addBrowser();
    await tell("appointment-accepted");
    await nothing(new Date(Date.now() + hours(12) + 1000));
  });
  it("about an offer that has ended", async () => {
    await addBrowser();
    await tell("waitlist-offer", { ends: new Date(Date.now() + hours(1)).toISOString(), until: "11:00" });
    await nothing(new Date(Date.now() + hours(1) + 1000));
  });
  it("for a reminder of an appointment that was cancelled, or with reminders switched off", async () => {
    await addBrowser();
    const { date, time } = params;
    const appointment = await makeVisit(db, { patient, doctor }, { date, time, status: "cancelled" });
    await tell("appointment-reminder-day", { appointment });
    await nothing();
    const open = await makeVisit(db, { patient, doctor }, { date, time: "11:00", status: "accepted" });
    await tell("appointment-reminder-day", { appointment: open, time: "11:00" });
    await saveSettings(ctx(patient.actor), "notifications", { appointmentReminders: false });
    await nothing();
    await saveSettings(ctx(patient.actor), "notifications", { appointmentReminders: true });
    await runAll();
    expect(shown()).toMatchObject([{ title: expect.stringContaining("ppointment"), body: expect.stringContaining("11:00 AM") }]);
  });
});

it("the push service stores a reminder until the visit, and other messages for half a day", async () => {
  await addBrowser();
  const at = new Date();
  const appointment = await makeVisit(db, { patient, doctor }, { date: params.date, time: "10:00", status: "accepted" });
  await tell("appointment-reminder-day", { appointment }, patient, at);
  await tell("payment-received", { amount: "500" }, patient, at);
  await runAll(at);
  const [reminder, other] = service.delivered.map(({ headers }) => ({ ttl: Number(headers.ttl), urgency: headers.urgency }));
  const start = new Date(`${params.date}T10:00:00+05:30`).getTime();
  expect(reminder).toEqual({ ttl: Math.floor((start - at.getTime()) / 1000), urgency: "high" });
  expect(other).toEqual({ ttl: 43_200, urgency: "normal" });
});

describe("the push service responds", () => {
  it.each([404, 410])("%i: the browser is removed, and others get the message", async (status) => {
    const [gone, other] = [await addBrowser(), await addBrowser()];
    service.replies.set(gone.path, status);
    await tell("appointment-accepted");
    await runAll();
    expect((await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, patient.id))).map(({ id }) => id)).toEqual([
      other.id,
    ]);
    expect(service.delivered).toHaveLength(1);
  });
  it.each([413, 403])("%i: the message is dropped, and the browser stays", async (status) => {
    const { path } = await addBrowser();
    service.replies.set(path, status);
    await tell("appointment-accepted");
    await runAll();
    expect(await db.$count(pushSubscriptions, eq(pushSubscriptions.userId, patient.id))).toBe(1);
  });
  describe("403 for ever", () => {
    /** Two browsers, of which the service refuses the first, with a message for each. `at`: minutes after the first refusal. */
    async function refusing() {
      const [{ id, path }, other] = [await addBrowser(), await addBrowser()];
      // Browsers of other tests.
      await sql`update push_subscriptions set last_sent_at = null`;
      service.replies.set(path, 403);
      await tell("appointment-accepted");
      const [refused, accepted] = (await jobs()).map(({ data }) => data).sort((one) => (one.subscriptionId === id ? -1 : 1));
      await sql`delete from pgboss.job`;
      const start = Date.now();
      const at = (min: number, data: Data) => run(data, new Date(start + minutes(min)));
      /** The tries of the first message: at 0, 30, 60 and 90 minutes. */
      const tryAll = async () => {
        let data: Data | undefined = refused;
        for (let n = 0; data; n++) {
          expect(n).toBeLessThan(4);
          await at(30 * n, data);
          data = (await jobs())[0]?.data;
          await sql`delete from pgboss.job`;
        }
      };
      const ended = async () => ({
        removed: (await db.$count(pushSubscriptions, eq(pushSubscriptions.id, id))) === 0,
        told: await db.$count(notifications, and(eq(notifications.userId, patient.id), eq(notifications.kind, "push-ended"))),
      });
      return { id, other, path, refused: refused!, accepted: accepted!, at, tryAll, ended };
    }
    const STAYS = { removed: false, told: 0 };
    const ENDS = { removed: true, told: 1 };

    it("removes the browser and tells its user, when the service accepted a message for another one since the first refusal", async () => {
      const { other, accepted, at, tryAll, ended } = await refusing();
      await at(45, accepted);
      await tryAll();
      expect(await ended()).toEqual(ENDS);
      expect(await db.$count(pushSubscriptions, eq(pushSubscriptions.id, other.id))).toBe(1);
    });
    it("removes none with a wrong key of ours, although the service accepted messages just before", async () => {
      const { accepted, at, tryAll, ended } = await refusing();
      await at(-1, accepted);
      await tryAll();
      expect(await ended()).toEqual(STAYS);
    });
    it("removes none when only another push service accepts messages", async () => {
      const { other, accepted, at, tryAll, ended } = await refusing();
      await at(45, accepted);
      await sql`update push_subscriptions set service = 'https://push.another.test' where id = ${other.id}`;
      await tryAll();
      expect(await ended()).toEqual(STAYS);
    });
    it("counts from the first refusal over several messages, and from the start after an accepted one", async () => {
      const { path, refused, accepted, at, ended } = await refusing();
      await at(0, refused);
      service.replies.delete(path);
      await at(10, refused);
      service.replies.set(path, 403);
      await at(20, refused);
      await at(45, accepted);
      await at(100, refused);
      expect(await ended()).toEqual(STAYS);
      await at(110, refused);
      expect(await ended()).toEqual(ENDS);
    });
  });
  it("429 with Retry-After: the message waits that long, at most ten times, and not beyond its end", async () => {
    const { path, id: subscriptionId } = await addBrowser();
    service.replies.set(path, { status: 429, retryAfter: "600" });
    await tell("appointment-accepted");
    const [first] = await jobs();
    await sql`delete from pgboss.job`;
    await run(first!.data);
    const [again] = await jobs();
    expect(again!.data).toEqual({ ...first!.data, subscriptionId, tries: 1 });
    expect(Math.abs(again!.after - 600)).toBeLessThanOrEqual(1);
    await sql`delete from pgboss.job`;
    await run({ ...first!.data, tries: 10 });
    service.replies.set(path, { status: 429, retryAfter: "90000" });
    await run(first!.data);
    expect(await jobs()).toEqual([]);
  });
  it.each([500, 503, 429])("%i: the job fails, so it is tried again", async (status) => {
    const { path } = await addBrowser();
    service.replies.set(path, status);
    await tell("appointment-accepted");
    const [job] = await jobs();
    await expect(run(job!.data)).rejects.toMatchObject({ code: "unavailable" });
    service.replies.clear();
    await run(job!.data);
    expect(service.delivered).toHaveLength(1);
  });
  it("nothing: the job fails at the deadline", async () => {
    const { path } = await addBrowser();
    service.replies.set(path, () => {});
    await tell("appointment-accepted");
    const [job] = await jobs();
    await expect(run(job!.data)).rejects.toMatchObject({ code: "unavailable" });
  });
});
