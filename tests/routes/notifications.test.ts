import { afterAll, beforeAll, expect, it } from "vitest";
import type { Ctx } from "#app/domains/context.server.ts";
import { sweepNotifications } from "#app/domains/platform/notifications/mark-notifications.server.ts";
import { formatDayLong } from "#app/lib/dates.ts";
import { readable } from "../factories/booking.ts";
import { dayFromNow } from "../factories/people.ts";
import { whileLocked } from "../setup/locked.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: LoggedIn;
let other: LoggedIn;
beforeAll(async () => {
  server = await startServer();
  doctor = await loginAs(server, DEMO.doctor);
  other = await loginAs(server, { role: "patient", phone: "+919811100001" });
});
afterAll(() => server.stop());

const add = async (to: string, kind = "appointment-booked", path: string | null = "/doctor/appointments?tab=cancelled") => {
  const [row] = await server.sql<{ id: string }[]>`
    insert into notifications (user_id, kind, type, params, target_path)
    values (${to}, ${kind}, 'info', ${JSON.stringify({ doctor: "Dr. A", patient: "Test Person", date: "2026-11-22", time: "10:30" })}::jsonb, ${path}) returning id`;
  return row!.id;
};
const isRead = async (id: string) => (await server.sql`select read_at from notifications where id = ${id}`)[0]?.read_at !== null;

it("shows new notifications, opens one and goes to its target", async () => {
  const id = await add(doctor.userId);
  const page = await doctor.get("/doctor/notifications");
  expect(page.status).toBe(200);
  expect(page.text).toContain("Test Person requested an appointment on 22 Nov 2026 at 10:30 AM.");
  expect(page.text).toContain("Just now");
  expect((await doctor.get("/doctor-dashboard")).text).toMatch(/aria-label="Notifications, \d+ new"/);
  const opened = await doctor.post("/doctor/notifications", { intent: "open", id });
  expect(opened.location).toBe("/doctor/appointments?tab=cancelled");
  expect(await isRead(id)).toBe(true);
});

it("goes to the appointments where a notification has no target, and never to another site", async () => {
  const open = async (who: LoggedIn, area: string, path: string | null) =>
    (await who.post(`/${area}/notifications`, { intent: "open", id: await add(who.userId, "appointment-accepted", path) })).location;
  expect(await open(doctor, "doctor", null)).toBe("/doctor/appointments");
  expect(await open(doctor, "doctor", "//evil.example")).toBe("/doctor/appointments");
  expect(await open(other, "patient", null)).toBe("/patient/calendar");
});

it("marks all as read with a toast", async () => {
  await add(doctor.userId);
  const done = await doctor.follow(await doctor.post("/doctor/notifications", { intent: "read-all" }));
  expect(done.text).toContain("All notifications marked as read");
  expect(await server.sql`select 1 from notifications where user_id = ${doctor.userId} and read_at is null`).toHaveLength(0);
  expect(done.text).not.toContain("Mark all as read");
  expect((await doctor.get("/doctor-dashboard")).text).toContain('aria-label="Notifications"');
});

it("deletes on a later page and stays there", async () => {
  const id = await add(doctor.userId);
  const later = `/doctor/notifications?before=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`;
  expect((await doctor.post(later, { intent: "delete", id })).location).toBe(`${later}&at=${id}`);
});

it("answers the browser's request for data, without a redirect loop", async () => {
  const data = await doctor.get("/doctor/notifications.data");
  expect(data.status).toBe(200);
  expect(data.text).not.toContain("SingleFetchRedirect");
});

it("belongs to its reader only", async () => {
  const id = await add(doctor.userId);
  expect((await other.post("/patient/notifications", { intent: "open", id })).status).toBe(404);
  expect((await other.post("/patient/notifications", { intent: "delete", id })).status).toBe(404);
  expect(await isRead(id)).toBe(false);
  expect((await other.get("/patient/notifications")).text).not.toContain("Test Person requested");
  expect((await other.get("/doctor/notifications")).location).toBe("/patient-dashboard");
  expect((await other.post("/patient/notifications", { intent: "open", id: "not-an-id" })).status).toBe(404);
  const deleted = await doctor.post("/doctor/notifications", { intent: "delete", id });
  expect(deleted.location).toBe(`/doctor/notifications?at=${id}`);
  const page = readable((await doctor.follow(deleted)).text);
  expect(page).toContain("Notification deleted New appointment request Undo");
  expect((await other.get(`/patient/notifications?at=${id}`)).text).not.toContain("Undo");
  expect((await other.post("/patient/notifications", { intent: "restore", id })).status).toBe(404);
});

it("groups by day with unread ones first, and links the appointment", async () => {
  const reader = await loginAs(server, { role: "patient", phone: "+919811100004" });
  // Noon in India of today and the days before, so that no day changes during the test.
  const noon = (days: number) => `${dayFromNow(-days)}T06:30:00Z`;
  const appointment = "00000000-0000-4000-8000-000000000001";
  const titles = async () => [
    ...(await reader.get("/patient/notifications")).text.matchAll(/<h2 id="d-[^>]*>([^<]+)<\/h2>|data-entry="(new|read)"/g),
  ];
  for (const [days, read] of [
    [0, true],
    [0, false],
    [1, false],
    [5, true],
  ] as const) {
    const id = await add(reader.userId, "appointment-accepted", "/patient/calendar");
    await server.sql`update notifications set created_at = ${noon(days)}, read_at = ${read ? noon(days) : null},
      params = params || ${JSON.stringify(days === 1 ? { appointment } : {})}::jsonb where id = ${id}`;
  }
  expect((await titles()).map(([, day, state]) => day ?? state)).toEqual([
    "Today",
    "new",
    "read",
    "Yesterday",
    "new",
    formatDayLong(dayFromNow(-5)),
    "read",
  ]);
  const { text } = await reader.get("/patient/notifications");
  expect(text.match(/>View appointment</g)).toHaveLength(1);
  expect(text).toContain(`href="/patient/appointments/${appointment}"`);
});

it("undoes a deletion for a day, then removes the notification", async () => {
  const reader = await loginAs(server, { role: "patient", phone: "+919811100005" });
  const id = await add(reader.userId, "appointment-accepted");
  const here = "/patient/notifications";
  const unread = async () => /aria-label="Notifications, (\d+) new"/.exec((await reader.get("/patient-dashboard")).text)?.[1];
  expect(await unread()).toBe("1");
  const deleted = await reader.post(here, { intent: "delete", id });
  expect(await unread()).toBeUndefined();
  expect(readable((await reader.get(here)).text)).toContain("No notifications");
  expect((await reader.post(here, { intent: "open", id })).status).toBe(404);
  expect(readable((await reader.follow(deleted)).text)).toContain("Undo");
  const restored = await reader.follow(await reader.post(here, { intent: "restore", id }));
  expect(readable(restored.text)).toContain("will see Test Person");
  expect(await unread()).toBe("1");

  await reader.post(here, { intent: "delete", id });
  const sweep = (hours: number) => sweepNotifications({ db: server.db, now: new Date(Date.now() + hours * 3_600_000) } as Ctx);
  await sweep(23);
  expect(await server.sql`select 1 from notifications where id = ${id}`).toHaveLength(1);
  await sweep(25);
  expect(await server.sql`select 1 from notifications where id = ${id}`).toHaveLength(0);
  expect((await reader.post(here, { intent: "restore", id })).status).toBe(404);
});

it("each type has its icon, and read ones are dimmed (spec 001 §3, §4.4)", async () => {
  const reader = await loginAs(server, { role: "patient", phone: "+919811100003" });
  const kinds = ["appointment-accepted", "appointment-rescheduled", "appointment-cancelled", "appointment-booked"];
  const types = ["success", "warning", "danger", "info"];
  const ids = await Promise.all(kinds.map((kind) => add(reader.userId, kind)));
  for (const [i, id] of ids.entries())
    await server.sql`update notifications set type = ${types[i]!}, created_at = now() - interval '1 hour' - ${i + 1} * interval '1 day' where id = ${id}`;
  const entries = async () => (await reader.get("/patient/notifications")).text.split("<li ").slice(1);
  const icons = (await entries()).map((entry) => /#(?:i-)?([a-z-]+)"/.exec(entry)?.[1]);
  expect(icons).toEqual(["circle-check", "calendar-clock", "calendar-x", "calendar-days"]);
  expect((await entries()).every((entry) => entry.includes('data-entry="new"'))).toBe(true);
  expect((await entries())[0]).toContain("1 day ago");
  expect((await entries())[1]).toContain("2 days ago");
  await reader.post("/patient/notifications", { intent: "open", id: ids[1]! });
  expect((await entries()).map((entry) => /data-entry="(\w+)"/.exec(entry)?.[1])).toEqual(["new", "read", "new", "new"]);
});

it("shows the texts of the specification when notifications cannot be read or marked (§8)", async () => {
  const id = await add(other.userId);
  const marked = await whileLocked(server, "notifications", () => other.post("/patient/notifications", { intent: "read-all" }), "share");
  expect([marked.status, marked.text.includes("Failed to mark all as read")]).toEqual([503, true]);
  expect(await isRead(id)).toBe(false);
});

it("shows a message when there are none", async () => {
  const newPatient = await loginAs(server, { role: "patient", phone: "+919811100002" });
  expect((await newPatient.get("/patient/notifications")).text).toContain("No notifications");
});
