import { createHmac } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditLog, liveEvents, notifications, webhookDeliveries, webhookEndpoints } from "#app/db/schema/index.ts";
import { transact } from "#app/domains/context.server.ts";
import { EVENT_ACTIONS, type EventKind, type EventSubject } from "#app/domains/platform/events/event-kinds.ts";
import { publicPoster } from "#app/integrations/public-http/post-public.server.ts";
import type { TimeKey } from "#app/lib/dates.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import { makeEventSubjects } from "../../../../tests/factories/event-subjects.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../../../../tests/factories/members.ts";
import { makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { makePractice } from "../../../../tests/factories/practices.ts";
import { makeClinic } from "../../../../tests/factories/queues.ts";
import { type Receiver, startReceiver } from "../../../../tests/setup/receiver.ts";
import { recordEvent } from "../../../../tests/setup/record.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { moveMembers } from "../members/move-members.server.ts";
import { claimDeliveries } from "./claim-deliveries.server.ts";
import { getWebhook, listWebhooks, resendWebhooks, sendTestWebhook } from "./deliveries.server.ts";
import {
  addWebhook,
  getWebhookSecret,
  MOST_ENDPOINTS,
  pauseWebhook,
  removeWebhook,
  rotateWebhookSecret,
  saveWebhook,
} from "./manage-webhooks.server.ts";
import { DISABLE_AFTER, RETRY_DELAYS } from "./retry.ts";
import { sendWebhooks } from "./send-webhooks.server.ts";
import { settleDeliveries } from "./settle-deliveries.server.ts";
import { sweepWebhooks } from "./sweep-webhooks.server.ts";

const { db, sql, ctx } = testDb();
const SUBJECTS = Object.keys(EVENT_ACTIONS) as EventSubject[];
const KINDS = SUBJECTS.flatMap((subject) =>
  EVENT_ACTIONS[subject].map((action) => ({ subject, kind: `${subject}.${action}` as EventKind })),
);

let receiver: Receiver;
let clinic: Awaited<ReturnType<typeof makeClinic>>;
let endpointId: string;
let start: Date;
let visits = 0;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer = 204;
  await db.delete(webhookEndpoints);
  clinic = await makeClinic(db);
  start = new Date();
  visits = 0;
  endpointId = await add(clinic.place, "/hook");
});

type Place = Awaited<ReturnType<typeof makePlace>>;
const add = (place: Place, path: string, subjects: EventSubject[] = SUBJECTS, now = start) =>
  addWebhook(ctx(place.owner, now), { hospitalId: place.id, url: receiver.origin + path, label: "", subjects });
/** The context of the job, with a sender that accepts the receiver of this test. */
const job = (now = start) => {
  const base = ctx(null, now);
  return { ...base, integrations: { ...base.integrations, postPublic: publicPoster({ testOrigin: receiver.origin }) } };
};
const later = (ms: number) => new Date(start.getTime() + ms);
const record = (kind: EventKind, subjectId: string, over: { hospitalId?: string; now?: Date } = {}) =>
  transact(ctx(null, over.now ?? start), (tx) =>
    recordEvent(tx, {
      kind,
      subjectId,
      ...(!/^(membership)/.test(kind) && { doctorId: clinic.doctor.id }),
      ...(over.hospitalId && { hospitalId: over.hospitalId }),
      data: { to: "accepted" },
    }),
  );
const deliveries = (of = endpointId) =>
  db.select().from(webhookDeliveries).where(eq(webhookDeliveries.endpointId, of)).orderBy(webhookDeliveries.eventId);
const endpoint = async () => (await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId)))[0]!;
const which = () => ({ hospitalId: clinic.place.id, id: endpointId });
/** An appointment of the clinic with one event. */
const oneEvent = async (now = start) => {
  const time = `${String(8 + Math.floor(visits / 60)).padStart(2, "0")}:${String(visits++ % 60).padStart(2, "0")}`;
  const id = await makeVisit(db, { patient: await makePatient(db), doctor: clinic.doctor }, { time: time as TimeKey });
  await record("appointment.accept", id, { now });
  return id;
};
const signatureOf = (secret: string, { headers, body }: Receiver["received"][number]) =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`)
    .digest("base64")}`;

describe("the trigger of events", () => {
  it("records one delivery for each kind of event of the state tables, at its place only", async () => {
    const other = await makePlace(db);
    const otherEndpoint = await add(other, "/other");
    const ids = await makeEventSubjects(db, sql, clinic.doctor);
    for (const { subject, kind } of KINDS) {
      const place = subject === "membership" || subject === "place-doctor" ? { hospitalId: clinic.place.id } : {};
      await record(kind, ids[subject], place);
    }
    const events = await sql<{ kind: string; count: number }[]>`
      select e.kind, count(*)::int from webhook_deliveries d join domain_events e on e.id = d.event_id
      where d.endpoint_id = ${endpointId} group by 1`;
    expect(Object.fromEntries(events.map(({ kind, count }) => [kind, count]))).toEqual(
      Object.fromEntries(KINDS.map(({ kind }) => [kind, 1])),
    );
    expect(await deliveries(otherEndpoint)).toEqual([]);
  });
  it("records what an endpoint chose, for each endpoint, and wakes the workers", async () => {
    const second = await add(clinic.place, "/second", ["queue-entry"]);
    await db.delete(liveEvents);
    await oneEvent();
    expect([(await deliveries()).length, (await deliveries(second)).length]).toEqual([1, 0]);
    expect(await db.select({ payload: liveEvents.payload }).from(liveEvents)).toEqual([{ payload: "webhook-events" }]);
  });
  it("records nothing when the change is rolled back", async () => {
    const id = await makeVisit(db, { patient: await makePatient(db), doctor: clinic.doctor });
    await expect(
      transact(ctx(), async (tx) => {
        await recordEvent(tx, { kind: "appointment.accept", subjectId: id, doctorId: clinic.doctor.id });
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(await deliveries()).toEqual([]);
  });
  it("takes the place of the practice, not of the profile", async () => {
    const other = await makePlace(db);
    await addPlaceDoctor(db, other.id, clinic.doctor.id);
    const { id: practiceId } = await makePractice(db, clinic.doctor.id, { hospitalId: other.id });
    const otherEndpoint = await add(other, "/other");
    const visit = await makeVisit(db, { patient: await makePatient(db), doctor: clinic.doctor });
    await sql`update appointments set practice_id = ${practiceId} where id = ${visit}`;
    await record("appointment.accept", visit, { hospitalId: clinic.place.id });
    expect([(await deliveries()).length, (await deliveries(otherEndpoint)).length]).toEqual([0, 1]);
  });
  it.each(["claimed", "asked", "ended"] as const)("records nothing of a doctor whose place is %s", async (state) => {
    await sql`update place_doctors set state = ${state} where doctor_id = ${clinic.doctor.id}`;
    await oneEvent();
    expect(await deliveries()).toEqual([]);
  });
});

describe("sending", () => {
  it("sends ids, states and times, signed as Standard Webhooks says, and once", async () => {
    const id = await oneEvent();
    expect(await sendWebhooks(job())).toBe(1);
    expect(await sendWebhooks(job(later(days(1))))).toBe(0);
    const [sent] = receiver.received;
    const [row0] = await sql<{ reference: string }[]>`select payment_reference as reference from appointments where id = ${id}`;
    expect(JSON.parse(sent!.body)).toEqual({
      type: "appointment.accept",
      timestamp: start.toISOString(),
      data: { id, place: clinic.place.id, doctor: clinic.doctor.id, reference: row0!.reference, to: "accepted" },
    });
    const [row] = await deliveries();
    expect(row).toMatchObject({ state: "delivered", attempts: 1, status: 204, error: null, nextAt: null });
    const { secret } = await getWebhookSecret(ctx(clinic.place.owner), which());
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(sent!.headers).toMatchObject({
      "webhook-id": row!.id,
      "webhook-timestamp": String(Math.floor(start.getTime() / 1000)),
      "webhook-signature": signatureOf(secret, sent!),
      "content-type": "application/json",
    });
  });
  it("loses nothing while the receiver is down for a day", async () => {
    await receiver.close();
    const port = Number(new URL(receiver.origin).port);
    const ids: string[] = [];
    for (let hour = 0; hour < 24; hour++) {
      ids.push(await oneEvent(later(hours(hour))));
      await sendWebhooks(job(later(hours(hour))));
    }
    expect((await deliveries()).every(({ state, error }) => state === "waiting" && error === "connection")).toBe(true);
    receiver = await startReceiver(port);
    for (let hour = 24; hour < 48; hour++) await sendWebhooks(job(later(hours(hour))));
    const got = receiver.received.map(({ body }) => JSON.parse(body).data.id);
    expect(got.toSorted()).toEqual(ids.toSorted());
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
    expect((await endpoint()).failingSince).toBeNull();
  });
  it("retries at the times of Standard Webhooks with the same id and body, then gives up until an owner sends it again", async () => {
    receiver.answer = 500;
    await oneEvent();
    let now = start;
    for (const [n, delay] of RETRY_DELAYS.entries()) {
      expect(await sendWebhooks(job(now))).toBe(1);
      const [row] = await deliveries();
      expect(row).toMatchObject({ state: "waiting", attempts: n + 1, status: 500, error: "status" });
      const waits = row!.nextAt!.getTime() - now.getTime();
      expect(waits).toBeGreaterThanOrEqual(delay);
      expect(waits).toBeLessThanOrEqual(delay * 1.1);
      expect(await sendWebhooks(job(new Date(row!.nextAt!.getTime() - 1)))).toBe(0);
      now = row!.nextAt!;
    }
    expect(await sendWebhooks(job(now))).toBe(1);
    expect(await deliveries()).toMatchObject([{ state: "failed", attempts: 10, nextAt: null }]);
    expect(await sendWebhooks(job(new Date(now.getTime() + days(2))))).toBe(0);
    expect(new Set(receiver.received.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    receiver.answer = 204;
    expect(await resendWebhooks(ctx(clinic.place.owner, now), which(), "failed")).toBe(1);
    await sendWebhooks(job(now));
    expect(await deliveries()).toMatchObject([{ state: "delivered", attempts: 1 }]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });
  it.each([
    [301, "redirect"],
    [302, "redirect"],
    [308, "redirect"],
    [400, "status"],
    [404, "status"],
    [429, "status"],
    [503, "status"],
  ])("tries again after an answer %i", async (status, error) => {
    receiver.answer = (response) => response.writeHead(status, { location: `${receiver.origin}/moved` }).end();
    await oneEvent();
    await sendWebhooks(job());
    expect(await deliveries()).toMatchObject([{ state: "waiting", status, error }]);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
  });
  it("sends nothing to an address that is not public", async () => {
    await oneEvent();
    await sendWebhooks(ctx(null, start));
    expect(await deliveries()).toMatchObject([{ state: "waiting", status: null, error: "address" }]);
    expect(receiver.received).toEqual([]);
  });
  it("sends each delivery once when two workers send at once", async () => {
    for (let n = 0; n < 25; n++) await oneEvent();
    const sent = await Promise.all([sendWebhooks(job()), sendWebhooks(job()), sendWebhooks(job())]);
    expect(sent.reduce((sum, n) => sum + n, 0)).toBe(25);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(25);
    expect(receiver.received).toHaveLength(25);
  });
  it("sends a delivery again whose worker died, and drops the late result of the first", async () => {
    await oneEvent();
    const [claimed] = await claimDeliveries(job(), endpointId);
    expect(await sendWebhooks(job())).toBe(0);
    expect(await sendWebhooks(job(later(minutes(2))))).toBe(1);
    expect(await deliveries()).toMatchObject([{ state: "delivered", attempts: 2 }]);
    await settleDeliveries(job(), endpointId, [{ delivery: claimed!, result: { status: 500 } }]);
    expect(await deliveries()).toMatchObject([{ state: "delivered", status: 204 }]);
  });
  it("goes on with the next run when more waits than a run sends", async () => {
    const id = await makeVisit(db, { patient: await makePatient(db), doctor: clinic.doctor });
    for (let n = 0; n < 35; n++) await record("appointment.accept", id);
    await db.delete(liveEvents);
    expect(await sendWebhooks(job())).toBe(30);
    expect(await db.select({ payload: liveEvents.payload }).from(liveEvents)).toEqual([{ payload: "webhooks" }]);
    expect(await sendWebhooks(job())).toBe(5);
  });
  it("stops after one batch to a receiver that fails, and serves others", async () => {
    const second = await add(clinic.place, "/second");
    const id = await makeVisit(db, { patient: await makePatient(db), doctor: clinic.doctor });
    for (let n = 0; n < 15; n++) await record("appointment.accept", id);
    receiver.answer = (response, { path }) => response.writeHead(path === "/hook" ? 500 : 200).end();
    await sendWebhooks(job());
    expect((await deliveries()).filter(({ attempts }) => attempts).length).toBe(10);
    expect((await deliveries(second)).filter(({ state }) => state === "delivered").length).toBe(15);
  });
});

describe("an endpoint that fails", () => {
  const disabledNotices = () =>
    db
      .select({ params: notifications.params, path: notifications.targetPath })
      .from(notifications)
      .where(and(eq(notifications.kind, "webhook-disabled"), eq(notifications.userId, clinic.place.owner.userId)));

  it("is disabled after five days without an accepted message; owners are notified once, and resuming sends what waits", async () => {
    receiver.answer = 500;
    await oneEvent();
    for (let day = 0; day < 5; day++) {
      await oneEvent(later(days(day)));
      await sendWebhooks(job(later(days(day))));
      expect((await endpoint()).state).toBe("active");
    }
    await oneEvent(later(DISABLE_AFTER));
    await Promise.all([sendWebhooks(job(later(DISABLE_AFTER))), sendWebhooks(job(later(DISABLE_AFTER)))]);
    expect((await endpoint()).state).toBe("disabled");
    expect(await disabledNotices()).toEqual([
      { params: { place: clinic.place.name, website: new URL(receiver.origin).host }, path: `/clinic/${clinic.place.id}/webhooks` },
    ]);
    const before = (await deliveries()).length;
    await oneEvent(later(days(6)));
    expect((await deliveries()).length).toBe(before);
    receiver.answer = 204;
    await pauseWebhook(ctx(clinic.place.owner, later(days(6))), which(), false);
    await sendWebhooks(job(later(days(9))));
    expect((await deliveries()).filter(({ state }) => state === "waiting")).toEqual([]);
    expect((await endpoint()).failingSince).toBeNull();
  });
  it("is disabled at once by an answer 410", async () => {
    receiver.answer = 410;
    await oneEvent();
    await sendWebhooks(job());
    expect((await endpoint()).state).toBe("disabled");
    expect(await disabledNotices()).toHaveLength(1);
    const [entry] = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, "disable-webhook"), eq(auditLog.subjectId, clinic.place.id)));
    expect(entry).toMatchObject({ actorRole: "system" });
  });
  it("starts the five days again after an accepted message", async () => {
    receiver.answer = 500;
    await oneEvent();
    await sendWebhooks(job());
    expect((await endpoint()).failingSince).toEqual(start);
    receiver.answer = 204;
    await sendWebhooks(job(later(hours(1))));
    expect((await endpoint()).failingSince).toBeNull();
  });
});

describe("an owner", () => {
  const owner = (now = start) => ctx(clinic.place.owner, now);

  it("replaces the secret: both sign for a day, and a second press changes nothing", async () => {
    const before = await getWebhookSecret(owner(), which());
    await rotateWebhookSecret(owner(), which());
    await expect(rotateWebhookSecret(owner(), which())).rejects.toMatchObject({ code: "conflict" });
    const after = await getWebhookSecret(owner(), which());
    expect(after.secret).not.toBe(before.secret);
    expect(after.previousUntil).toEqual(later(hours(24)));
    for (const [at, secrets] of [
      [later(hours(23)), [after.secret, before.secret]],
      [later(hours(24)), [after.secret]],
    ] as const) {
      await oneEvent(at);
      await sendWebhooks(job(at));
      const sent = receiver.received.at(-1)!;
      expect(sent.headers["webhook-signature"]).toBe(secrets.map((secret) => signatureOf(secret, sent)).join(" "));
    }
    await sweepWebhooks(job(later(hours(25))));
    expect(await endpoint()).toMatchObject({ previousSecret: null, previousUntil: null });
    expect(Object.values(await endpoint())).not.toContain(after.secret);
  });
  it("replaces the secret while messages are sent: each has the signature of a secret that is valid", async () => {
    const before = await getWebhookSecret(owner(), which());
    for (let n = 0; n < 20; n++) await oneEvent();
    await Promise.all([sendWebhooks(job()), rotateWebhookSecret(owner(), which())]);
    const after = await getWebhookSecret(owner(), which());
    expect(receiver.received).toHaveLength(20);
    for (const sent of receiver.received) {
      const valid = [before.secret, after.secret].map((secret) => signatureOf(secret, sent));
      const given = (sent.headers["webhook-signature"] as string).split(" ");
      expect(given).toContain(valid[0]);
      expect(valid).toEqual(expect.arrayContaining(given));
    }
  });
  it("pauses: events wait and are sent after resuming", async () => {
    await pauseWebhook(owner(), which(), true);
    await oneEvent();
    expect(await sendWebhooks(job())).toBe(0);
    await expect(sendTestWebhook(owner(), which())).rejects.toMatchObject({ code: "conflict" });
    await pauseWebhook(owner(), which(), false);
    expect(await sendWebhooks(job())).toBe(1);
  });
  it("sends a signed test event, and one delivery again", async () => {
    await sendTestWebhook(owner(), which());
    await sendWebhooks(job());
    expect(JSON.parse(receiver.received[0]!.body)).toEqual({
      type: "webhook.test",
      timestamp: start.toISOString(),
      data: { place: clinic.place.id },
    });
    const { deliveries: shown } = await getWebhook(owner(), which());
    expect(shown).toMatchObject([{ kind: null, state: "delivered", status: 204 }]);
    expect(await resendWebhooks(owner(), which(), shown[0]!.id)).toBe(1);
    await sendWebhooks(job());
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([shown[0]!.id, shown[0]!.id]);
  });
  it("changes and removes an endpoint, with audit rows that name only the website", async () => {
    await saveWebhook(owner(), { ...which(), url: "https://example.com/hook?key=verysecret", label: "Lab", subjects: ["review"] });
    expect(await endpoint()).toMatchObject({ url: "https://example.com/hook?key=verysecret", label: "Lab", subjects: ["review"] });
    await removeWebhook(owner(), which());
    expect((await listWebhooks(owner(), clinic.place.id)).endpoints).toEqual([]);
    const rows = await db.select().from(auditLog).where(eq(auditLog.subjectId, clinic.place.id)).orderBy(auditLog.id);
    expect(rows.map(({ action }) => action)).toEqual(["add-webhook", "edit-webhook", "remove-webhook"]);
    expect(JSON.stringify(rows)).not.toContain("verysecret");
  });
  it("has at most five endpoints, each address once, also when two are added at once", async () => {
    const added = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => add(clinic.place, `/more${n}`)));
    expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(MOST_ENDPOINTS - 1);
    await removeWebhook(owner(), which());
    await expect(add(clinic.place, "/more0")).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("other users", () => {
  it("see and change nothing", async () => {
    const [other, reception, stranger] = [await makePlace(db), clinic.reception, (await makePatient(db)).actor];
    await oneEvent();
    const [delivery] = await deliveries();
    const input = { url: "https://example.com/", label: "", subjects: ["review" as const] };
    const tries = [other.owner, reception, stranger, clinic.doctor.actor].flatMap((actor) => {
      const as = ctx(actor);
      return [
        () => listWebhooks(as, clinic.place.id),
        () => getWebhook(as, which()),
        () => getWebhookSecret(as, which()),
        () => addWebhook(as, { hospitalId: clinic.place.id, ...input }),
        () => saveWebhook(as, { ...which(), ...input }),
        () => pauseWebhook(as, which(), true),
        () => rotateWebhookSecret(as, which()),
        () => sendTestWebhook(as, which()),
        () => resendWebhooks(as, which(), delivery!.id),
        () => removeWebhook(as, which()),
      ];
    });
    const before = await endpoint();
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: expect.stringMatching(/^(not-found|forbidden)$/) });
    expect(await endpoint()).toEqual(before);
  });
  it("reach no endpoint of another place through their own", async () => {
    const other = await makePlace(db);
    const through = { hospitalId: other.id, id: endpointId };
    const as = ctx(other.owner);
    const otherEndpoint = await add(other, "/other");
    await oneEvent();
    const [delivery] = await deliveries();
    for (const attempt of [
      () => getWebhook(as, through),
      () => getWebhookSecret(as, through),
      () => pauseWebhook(as, through, true),
      () => rotateWebhookSecret(as, through),
      () => removeWebhook(as, through),
      () => sendTestWebhook(as, through),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "not-found" });
    expect(await resendWebhooks(as, { hospitalId: other.id, id: otherEndpoint }, delivery!.id)).toBe(0);
  });
  it("need a fresh proof to add, change, rotate or see the secret", async () => {
    const stale = ctx({ ...clinic.place.owner, provenAt: null });
    const input = { url: "https://example.com/", label: "", subjects: ["review" as const] };
    for (const attempt of [
      () => addWebhook(stale, { hospitalId: clinic.place.id, ...input }),
      () => saveWebhook(stale, { ...which(), ...input }),
      () => rotateWebhookSecret(stale, which()),
      () => getWebhookSecret(stale, which()),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "unproven" });
  });
});

it("pauses the endpoints of a merged place at the other one", async () => {
  const into = await makePlace(db);
  const admin = await makeMember(db, into.id, "reception");
  await transact(ctx(admin), (tx) => moveMembers(tx, clinic.place.id, into.id));
  expect(await endpoint()).toMatchObject({ hospitalId: into.id, state: "paused" });
});

it("deletes deliveries after 30 days", async () => {
  await oneEvent();
  await sweepWebhooks(job(later(days(29))));
  expect(await deliveries()).toHaveLength(1);
  await sweepWebhooks(job(later(days(31))));
  expect(await deliveries()).toHaveLength(0);
});
