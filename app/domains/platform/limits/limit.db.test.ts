import { describe, expect, it } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { days, hours, minutes, seconds } from "#app/lib/durations.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { refundLimits, spendLimits, sweepLimits } from "./limit.server.ts";
import { LIMITS, type LimitName } from "./limits.ts";

const { sql, ctx } = testDb();
const START = new Date("2026-11-21T06:00:00Z");
const at = (ms: number) => ctx(null, new Date(START.getTime() + ms));
const spend = (limit: LimitName, key: string, ms: number) => spendLimits(at(ms), [{ limit, key }]);
const waitOf = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    (e: unknown) => (e instanceof DomainError && e.code === "too-many" ? e.retryAfterSeconds : e),
  );

it("match the list of the design", () => {
  expect(LIMITS).toMatchObject({
    "otp-send-gap": { max: 1, per: seconds(30) },
    "otp-send-share": { max: 5, per: minutes(15) },
    "otp-send-share-day": { max: 10, per: days(1) },
    "otp-known": { max: 5, per: minutes(15) },
    "otp-known-day": { max: 10, per: days(1) },
    "otp-send-address": { max: 20, per: hours(1) },
    "otp-check-address": { max: 100, per: hours(1) },
    "password-wrong": { max: 10, per: minutes(15) },
  });
});

describe("the window slides", () => {
  it("opens when the oldest event leaves the window, to the second", async () => {
    for (const minute of [0, 2, 4, 6, 8]) await spend("otp-known", "a", minutes(minute));
    expect(await waitOf(spend("otp-known", "a", minutes(9)))).toBe(6 * 60);
    expect(await waitOf(spend("otp-known", "a", minutes(15) - 1))).toBe(1);
    expect(await waitOf(spend("otp-known", "a", minutes(15)))).toBe(0);
    expect(await waitOf(spend("otp-known", "a", minutes(16)))).toBe(60);
  });
  it("counts keys separately", async () => {
    await spend("otp-send-gap", "b", 0);
    expect(await waitOf(spend("otp-send-gap", "c", 0))).toBe(0);
    expect(await waitOf(spend("otp-send-gap", "b", 0))).toBe(30);
  });
});

it("counts 100 concurrent events up to the limit", async () => {
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => waitOf(spend("password-wrong", "crowd", 0))));
  expect(outcomes.filter((w) => w === 0)).toHaveLength(10);
  expect(outcomes.filter((w) => w !== 0).every((w) => w === 15 * 60)).toBe(true);
});

it("spends several limits together or not at all, in any order, without a deadlock", async () => {
  await spend("otp-send-gap", "d", 0);
  const before = (await sql`select from rate_limits`).count;
  expect(
    await waitOf(
      spendLimits(at(0), [
        { limit: "otp-send-address", key: "z" },
        { limit: "otp-send-gap", key: "d" },
      ]),
    ),
  ).toBe(30);
  expect((await sql`select from rate_limits`).count).toBe(before);
  const both = [
    { limit: "otp-send-address", key: "x" },
    { limit: "otp-check-address", key: "y" },
  ] as const;
  await Promise.all(Array.from({ length: 20 }, (_, i) => spendLimits(at(0), i % 2 ? [...both] : [...both].reverse())));
  expect(await waitOf(spend("otp-send-address", "x", 0))).toBe(3600);
});

describe("an address", () => {
  const from = (address: string) => waitOf(spendLimits(at(0), [{ limit: "sos-search", address }]));

  it("counts an IPv6 address by its /64 and, more widely, by its /48", async () => {
    for (let i = 0; i < 30; i++) expect(await from(`2001:db8:a:1::${i}`)).toBe(0);
    expect(await from("2001:db8:a:1:ffff::1")).toBe(600);
    for (let i = 0; i < 90; i++) expect(await from(`2001:db8:a:${i + 2}::1`)).toBe(0);
    expect(await from("2001:db8:a:ffff::1")).toBe(600);
    expect(await from("2001:db8:b::1")).toBe(0);
  });

  it("counts IPv4 addresses whole, also inside IPv6", async () => {
    for (let i = 0; i < 30; i++) expect(await from(i % 2 ? "192.0.2.1" : "::ffff:192.0.2.1")).toBe(0);
    expect(await from("192.0.2.1")).toBe(600);
    expect(await from("::ffff:c000:201")).toBe(600);
    expect(await from("192.0.2.2")).toBe(0);
  });
});

it("returns events that should not count", async () => {
  for (let i = 0; i < 9; i++) await spend("password-wrong", "e", 0);
  await refundLimits(at(0), await spend("password-wrong", "e", 0));
  expect(await waitOf(spend("password-wrong", "e", 0))).toBe(0);
  expect(await waitOf(spend("password-wrong", "e", 0))).toBe(900);
});

it("stays counted when the surrounding transaction is rolled back", async () => {
  await spend("otp-send-gap", "f", 0).catch(() => undefined);
  expect(await waitOf(spend("otp-send-gap", "f", seconds(1)))).toBe(29);
});

it("deletes events that no limit needs", async () => {
  await spend("otp-send-day", "g", 0);
  await sweepLimits(at(days(1.5)));
  expect(await waitOf(spend("otp-send-gap", "g", 0))).toBe(0);
  expect((await sql`select from rate_limits`).count).toBeGreaterThan(0);
  await sweepLimits(at(days(3)));
  expect((await sql`select from rate_limits`).count).toBe(0);
});
