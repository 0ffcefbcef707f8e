/** Settings are stored, and emails and SMS obey them. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { notifications, outboxMessages, userSettings, users } from "#app/db/schema/index.ts";
import { appointmentQueries } from "#app/domains/booking/appointments/send-reminders.server.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { sendNotificationEmail, sendNotificationSms } from "../delivery/deliver.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind } from "../notifications/kinds.ts";
import { getSettings, settingsOf } from "./queries.server.ts";
import { saveSettings } from "./save-settings.server.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

const { db, ctx } = testDb();
let n = 0;
let who: Actor;
beforeEach(async () => {
  n++;
  const [user] = await db
    .insert(users)
    .values({ role: "doctor", email: `s${n}@test.example`, phone: `+9173${String(n).padStart(8, "0")}` })
    .returning();
  who = { userId: user!.id, role: "doctor" };
});

it("return defaults until something is chosen, and preserve earlier choices", async () => {
  expect(await getSettings(ctx(who))).toEqual(DEFAULT_SETTINGS);
  await saveSettings(ctx(who), "notifications", { email: false, sms: true });
  await saveSettings(ctx(who), "privacy", { shareData: true });
  await saveSettings(ctx(who), "notifications", { offers: true });
  expect(await settingsOf(ctx(), who.userId)).toEqual({
    ...DEFAULT_SETTINGS,
    notifications: { ...DEFAULT_SETTINGS.notifications, email: false, sms: true, offers: true },
    privacy: { ...DEFAULT_SETTINGS.privacy, shareData: true },
  });
  // Only choices are stored: a later default applies to everything else.
  expect((await db.select().from(userSettings).where(eq(userSettings.userId, who.userId)))[0]?.chosen).toEqual({
    notifications: { email: false, sms: true, offers: true },
    privacy: { shareData: true },
  });
});

it("store both of two groups that are saved at once", async () => {
  await Promise.all([
    saveSettings(ctx(who), "notifications", { sms: true }),
    saveSettings(ctx(who), "security", { autoLock: false }),
    saveSettings(ctx(who), "privacy", { analytics: false }),
  ]);
  const settings = await getSettings(ctx(who));
  expect([settings.notifications.sms, settings.security.autoLock, settings.privacy.analytics]).toEqual([true, false, false]);
});

const sent = async (kind: NotificationKind) => {
  const [row] = await db
    .insert(notifications)
    .values({ userId: who.userId, kind, type: "info", params: { field: "name", doctor: "Dr. A" } })
    .returning();
  await db.delete(outboxMessages);
  await sendNotificationEmail(ctx(), row!.id, appointmentQueries);
  await sendNotificationSms(ctx(), row!.id, appointmentQueries);
  return (await db.select({ channel: outboxMessages.channel }).from(outboxMessages)).map((m) => m.channel).sort();
};

it("choose the channels: email on and SMS off by default", async () => {
  expect(await sent("profile-change-approved")).toEqual(["email"]);
  await saveSettings(ctx(who), "notifications", { email: false, sms: true });
  expect(await sent("profile-change-refused")).toEqual(["sms"]);
  await saveSettings(ctx(who), "notifications", { sms: false });
  expect(await sent("profile-change-refused")).toEqual([]);
});

it("never suppress decisions on a case, cancellations by an administrator and account security", async () => {
  await saveSettings(ctx(who), "notifications", { email: false, sms: false });
  const always = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[]).filter((kind) => "always" in NOTIFICATION_KINDS[kind]);
  expect(always).toEqual([
    "appointment-booked-for-you",
    "appointment-cancelled-by-doctor",
    "appointment-queue-closed",
    "appointment-cancelled-for-you",
    "appointment-unpaid",
    "appointment-cancelled-as-asked",
    "appointment-choose-again",
    "appointment-moved-as-asked",
    "appointment-moved",
    "time-proposed-away",
    "doctor-hospital-approved",
    "doctor-verified",
    "doctor-rejected",
    "doctor-suspended",
    "doctor-reinstated",
    "bank-change-asked",
    "prescription-cancelled",
    "refund-failed",
    "refund-stuck",
    "refund-unsolved",
    "password-changed",
    "password-reset",
    "passkey-added",
    "passkey-removed",
  ]);
  for (const kind of always) expect(await sent(kind)).toEqual(["email", "sms"]);
});
