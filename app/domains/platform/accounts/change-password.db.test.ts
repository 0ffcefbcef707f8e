import { and, eq, gt } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { auditLog, notifications, otpChallenges, rateLimits, sessions, users } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { days, minutes } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { spendLimits } from "../limits/limit.server.ts";
import { ChangePasswordSchema } from "./change-password.schema.ts";
import { changePassword } from "./change-password.server.ts";
import { endOtherSessions, listOwnSessions } from "./own-sessions.server.ts";
import { hashPassword, verifyPassword } from "./passwords.server.ts";

const { db, ctx } = testDb();
const OLD = "old secret";
let n = 0;
let doctor: Actor;
let phone: string;

beforeEach(async () => {
  await db.delete(rateLimits);
  phone = `+9172${String(++n).padStart(8, "0")}`;
  const [user] = await db
    .insert(users)
    .values({ role: "doctor", email: `p${n}@test.example`, phone, passwordHash: await hashPassword(OLD) })
    .returning();
  doctor = { userId: user!.id, role: "doctor" };
  for (const token of ["here", "phone", "office"]) await logIn(`${token} ${n}`);
});
const logIn = (token: string, at = new Date()) =>
  db.insert(sessions).values({
    tokenHash: hashToken(token),
    userId: doctor.userId,
    createdAt: at,
    expiresAt: new Date(at.getTime() + days(30)),
    userAgent: "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
  });
const here = () => hashToken(`here ${n}`);
const change = (currentPassword: string, newPassword: string, now?: Date) =>
  changePassword(ctx(doctor, now), { currentPassword, newPassword, tokenHash: here() });
const isPassword = async (plain: string) => {
  const [user] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, doctor.userId));
  return verifyPassword(user!.hash, plain);
};
const open = async () =>
  (
    await db
      .select({ tokenHash: sessions.tokenHash })
      .from(sessions)
      .where(and(eq(sessions.userId, doctor.userId), gt(sessions.expiresAt, new Date())))
  ).map((s) => s.tokenHash);

it("changes it, ends the other sessions and sends an email", async () => {
  await db
    .insert(otpChallenges)
    .values({ idHash: `c${n}`, purpose: "doctor-login", phone, codeHmac: "x", jar: "x", expiresAt: new Date(Date.now() + minutes(5)) });
  expect(await change(OLD, "new secret")).toBe(2);
  expect([await isPassword(OLD), await isPassword("new secret")]).toEqual([false, true]);
  expect(await open()).toEqual([here()]);
  expect(await db.select({ kind: notifications.kind }).from(notifications).where(eq(notifications.userId, doctor.userId))).toEqual([
    { kind: "password-changed" },
  ]);
  const [log] = await db.select().from(auditLog).where(eq(auditLog.personId, doctor.userId));
  expect(log).toMatchObject({ action: "change-password", details: { sessionsEnded: 2 } });
  expect(JSON.stringify(log)).not.toContain("secret");
  // A login that started with the old password is over too.
  expect(
    (
      await db
        .select()
        .from(otpChallenges)
        .where(eq(otpChallenges.idHash, `c${n}`))
    )[0]?.consumedAt,
  ).not.toBeNull();
});

it("requires the current password, and counts wrong ones in the limit of logins", async () => {
  for (let i = 0; i < 10; i++)
    await expect(change("wrong", "new secret")).rejects.toMatchObject({
      code: "invalid",
      fields: { currentPassword: ["The current password is not correct"] },
    });
  await expect(change(OLD, "new secret")).rejects.toMatchObject({ code: "too-many" });
  expect(await isPassword(OLD)).toBe(true);
  expect(await open()).toHaveLength(3);
  await change(OLD, "new secret", new Date(Date.now() + minutes(15)));
  expect(await isPassword("new secret")).toBe(true);
});

it("does not count correct ones", async () => {
  let current = OLD;
  for (let i = 0; i < 12; i++) {
    await change(current, `secret ${i}`);
    current = `secret ${i}`;
  }
  expect(await isPassword("secret 11")).toBe(true);
});

it("accepts one of several changes at once", async () => {
  const results = await Promise.allSettled(["one one", "two two", "three three"].map((next) => change(OLD, next)));
  const won = results.findIndex((r) => r.status === "fulfilled");
  expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
  expect(await isPassword(["one one", "two two", "three three"][won]!)).toBe(true);
});

it("refuses an account that has no password", async () => {
  await db.update(users).set({ passwordHash: null }).where(eq(users.id, doctor.userId));
  await expect(change("", "new secret")).rejects.toMatchObject({ code: "invalid" });
});

it.each([
  [{ currentPassword: OLD, newPassword: "short", confirmPassword: "short" }, ["Password must be at least 6 characters"]],
  [{ currentPassword: OLD, newPassword: OLD, confirmPassword: OLD }, ["The new password must be different from the current one"]],
  [{ currentPassword: OLD, newPassword: "new secret", confirmPassword: "new secrex" }, ["The two new passwords do not match"]],
  [{}, ["Current password is required", "New password is required", "Type the new password again"]],
  [
    { currentPassword: OLD, newPassword: "x".repeat(201), confirmPassword: "x" },
    ["Password must be at most 200 characters", "The two new passwords do not match"],
  ],
])("rules: %j", (input, messages) => {
  const parsed = ChangePasswordSchema.safeParse(input);
  expect(parsed.error?.issues.map((issue) => issue.message)).toEqual(messages);
});

it("lists the sessions, this device first, and logs out everywhere else", async () => {
  await logIn(`expired ${n}`, new Date(Date.now() - days(40)));
  const listed = await listOwnSessions(ctx(doctor), here());
  expect(listed.total).toBe(3);
  expect(listed.rows.map((row) => row.current)).toEqual([true, false, false]);
  expect(listed.rows[0]?.device).toEqual({ browser: "Chrome", system: "Android" });
  expect(JSON.stringify(listed)).not.toContain(here());
  const [stranger] = await db
    .insert(users)
    .values({ role: "doctor", email: `s${n}@test.example` })
    .returning();
  await db.insert(sessions).values({ tokenHash: `other ${n}`, userId: stranger!.id, expiresAt: new Date(Date.now() + days(1)) });
  expect(await endOtherSessions(ctx(doctor), here())).toBe(2);
  expect(await open()).toEqual([here()]);
  expect(
    await db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, `other ${n}`)),
  ).toHaveLength(1);
});

it("refuses the 21st new password of an hour before it hashes", async () => {
  for (let i = 0; i < 20; i++) await spendLimits(ctx(doctor), [{ limit: "password-set", key: doctor.userId }]);
  await expect(change(OLD, "one too many")).rejects.toMatchObject({ code: "too-many", retryAfterSeconds: expect.any(Number) });
  expect(await isPassword(OLD)).toBe(true);
});
