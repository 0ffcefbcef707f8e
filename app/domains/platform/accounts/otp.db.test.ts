import { describe, expect, it } from "vitest";
import type { OtpPurpose } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days, minutes, seconds } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { newPhone } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { rememberDevice } from "./known-device.server.ts";
import { endChallenge, findAppChallenge, findChallenge, startChallenge, sweepChallenges, verifyChallenge } from "./otp.server.ts";
import { consumeVerified } from "./verified-challenges.server.ts";

const { sql, ctx } = testDb();
const START = new Date("2026-11-21T06:00:00Z");
let addresses = 0;
const at = (ms = 0) => ({ ...ctx(null, new Date(START.getTime() + ms)), ip: `10.0.0.${++addresses % 250}` });
const codeTo = async (phone: string) =>
  /\d{6}/.exec((await sql`select body from outbox_messages where "to" = ${phone} order by sent_at desc limit 1`)[0]!.body)![0];
async function start(purpose: OtpPurpose, ms = 0, payload?: unknown) {
  const phone = newPhone();
  const { challengeId } = await startChallenge(at(ms), { purpose, phone, payload });
  return { phone, challengeId, idHash: hashToken(challengeId), code: await codeTo(phone) };
}
const verify = (idHash: string, code: string, ms: number, purposes: OtpPurpose | OtpPurpose[], consume = true) =>
  verifyChallenge(at(ms), { purposes, idHash, code, consume, expired: () => "EXPIRED" }).then(
    (row) => row.phone,
    (e: DomainError) => e.sentence,
  );

describe("the lifetime of a code", () => {
  it.each([
    ["patient-login", 120],
    ["doctor-login", 300],
    ["doctor-register", 300],
  ] as const)("%s: %i seconds, to the millisecond", async (purpose, life) => {
    const [a, b] = [await start(purpose), await start(purpose)];
    expect(await verify(a.idHash, a.code, seconds(life) - 1, purpose)).toBe(a.phone);
    expect(await verify(b.idHash, b.code, seconds(life), purpose)).toBe("EXPIRED");
    expect((await findChallenge(at(seconds(life)), b.challengeId, purpose))?.state).toBe("expired");
  });
});

it("a code is valid for its own purpose and challenge only", async () => {
  const [patient, doctor] = [await start("patient-login"), await start("doctor-login")];
  expect(await verify(patient.idHash, patient.code, 0, ["doctor-login", "doctor-register"])).toBe("EXPIRED");
  expect(await verify(doctor.idHash, doctor.code, 0, "patient-login")).toBe("EXPIRED");
  expect(await findChallenge(at(), patient.challengeId, ["doctor-login"])).toBeNull();
  // The jar of one row does not decrypt in another, even when it is copied in the database.
  await sql`update otp_challenges d set jar = p.jar, code_hmac = p.code_hmac from otp_challenges p where d.id_hash = ${doctor.idHash} and p.id_hash = ${patient.idHash}`;
  expect(await verify(doctor.idHash, patient.code, 0, "doctor-login")).not.toBe(doctor.phone);
});

it("a payload is returned whole, stored encrypted and deleted at the end", async () => {
  const secret = { email: "asha@proof.test", passwordRight: true };
  const made = await start("doctor-login", 0, secret);
  expect((await sql`select payload from otp_challenges where id_hash = ${made.idHash}`)[0]!.payload).not.toContain("asha");
  expect(await consumeVerified(at(), made.idHash)).toBeNull(); // not before the code
  expect(await verify(made.idHash, made.code, 0, "doctor-login", false)).toBe(made.phone);
  expect(await verify(made.idHash, made.code, 0, "doctor-login", false)).toBe("EXPIRED");
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => ctx().db.transaction((db) => consumeVerified({ ...at(), db }, made.idHash))),
  );
  expect(outcomes.filter(Boolean)).toEqual([{ purpose: "doctor-login", phone: made.phone, payload: secret }]);
  expect((await sql`select payload from otp_challenges where id_hash = ${made.idHash}`)[0]!.payload).toBeNull();
});

describe("several browsers request codes for one phone", () => {
  const patient = ["patient-login"] as const;

  it("preserves the code of the other browser, and ends the previous one of the same browser", async () => {
    const first = await start("patient-login");
    const second = await startChallenge(at(seconds(31)), { purpose: "patient-login", phone: first.phone });
    const third = await startChallenge(at(seconds(62)), { purpose: "patient-login", phone: first.phone, replaces: second.challengeId });
    const stateOf = async (id: string) => (await findChallenge(at(seconds(62)), id, "patient-login"))?.state ?? null;
    expect([await stateOf(first.challengeId), await stateOf(second.challengeId), await stateOf(third.challengeId)]).toEqual([
      "waiting",
      null,
      "waiting",
    ]);
    expect(await verify(first.idHash, first.code, seconds(63), "patient-login")).toBe(first.phone);
  });

  it("finds an app's challenge by its id from any network, and without the id from its own network only", async () => {
    const phone = newPhone();
    const from = (ip: string, ms: number) => ({ ...at(ms), ip });
    const mine = await startChallenge(from("2001:db8:1:2::a", 0), { purpose: "patient-login", phone });
    const theirs = await startChallenge(from("198.51.100.9", seconds(31)), { purpose: "patient-login", phone });
    const find = async (ip: string, challengeId?: string) =>
      (await findAppChallenge(from(ip, seconds(32)), { phone, purposes: patient, challengeId }))?.idHash ?? null;
    expect(await find("2001:db8:1:2:ffff::b")).toBe(hashToken(mine.challengeId));
    expect(await find("198.51.100.9")).toBe(hashToken(theirs.challengeId));
    expect(await find("198.51.100.10")).toBeNull();
    expect(await find("198.51.100.10", mine.challengeId)).toBe(hashToken(mine.challengeId));
    expect(await find("198.51.100.9", "no-such-challenge")).toBeNull();
    await endChallenge(at(seconds(33)), mine.challengeId);
    expect(await find("2001:db8:1:2::a")).toBeNull();
  });

  it("compares at most the attempts of the phone, for any number of valid codes", async () => {
    const phone = newPhone();
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) ids.push((await startChallenge(at(seconds(31 * i)), { purpose: "doctor-login", phone })).challengeId);
    const guess = (challengeId: string, ip: string, code: string) =>
      verifyChallenge(
        { ...at(seconds(31 * 8)), ip },
        { purposes: "doctor-login", idHash: hashToken(challengeId), code, consume: true, expired: () => "EXPIRED" },
      ).then(
        () => "right",
        (e: DomainError) => e.code,
      );
    const outcomes = await Promise.all(
      ids.flatMap((id, i) => Array.from({ length: 5 }, (_, n) => guess(id, `198.51.100.${(i * 5 + n) % 20}`, `00000${n}`))),
    );
    expect(outcomes.filter((o) => o === "invalid" || o === "right").length).toBeLessThanOrEqual(25);
    expect(outcomes.filter((o) => o === "too-many").length).toBeGreaterThanOrEqual(15);
    // A refused attempt was not compared and does not count.
    const [{ n }] = (await sql`select sum(attempts)::int as n from otp_challenges where phone = ${phone}`) as unknown as [{ n: number }];
    expect(n).toBeLessThanOrEqual(25);
  });

  it("one network uses at most its share of the attempts", async () => {
    const phone = newPhone();
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await startChallenge(at(seconds(31 * i)), { purpose: "doctor-login", phone })).challengeId);
    const last = await codeTo(phone);
    const guess = (challengeId: string, ip: string, code: string) =>
      verifyChallenge(
        { ...at(seconds(125)), ip },
        { purposes: "doctor-login", idHash: hashToken(challengeId), code, consume: true, expired: () => "EXPIRED" },
      ).then(
        () => "right",
        (e: DomainError) => e.code,
      );
    const outcomes = await Promise.all(
      ids.slice(0, 3).flatMap((id) => Array.from({ length: 5 }, (_, n) => guess(id, "2001:db8:9:9::1", `00000${n}`))),
    );
    expect(outcomes.filter((o) => o !== "too-many").length).toBeLessThanOrEqual(10);
    expect(await guess(ids[3]!, "203.0.113.77", last)).toBe("right");
  });
});

describe("a known device", () => {
  const stranger = async (phone: string, ms: number, ip: string) =>
    startChallenge({ ...at(ms), ip }, { purpose: "patient-login", phone }).then(
      () => "sent",
      (e: DomainError) => e.code,
    );

  it("receives codes after others used up the limits, which still bound the others", async () => {
    const phone = newPhone();
    const device = rememberDevice(at(), "patient-login", phone);
    const day: string[] = [];
    for (let i = 0; i < 200; i++) day.push(await stranger(phone, minutes(i * 7), `198.51.100.${i % 40}`));
    expect(day.filter((o) => o === "sent")).toHaveLength(30);
    const owner = { ...at(minutes(200 * 7)), device };
    const { challengeId } = await startChallenge(owner, { purpose: "patient-login", phone });
    expect((await sql`select device from otp_challenges where id_hash = ${hashToken(challengeId)}`)[0]?.device).toBe(device.split(".")[0]);
    // The token of another phone, or of another account of the same phone, is invalid.
    expect(await refusal(startChallenge(owner, { purpose: "doctor-login", phone }))).toBe("too-many");
    const forged = { ...owner, device: `${device.split(".")[0]}.${"0".repeat(32)}` };
    expect(await refusal(startChallenge(forged, { purpose: "patient-login", phone }))).toBe("too-many");
  });

  it("has limits of its own, and counts its parallel requests as one", async () => {
    const phone = newPhone();
    const device = rememberDevice(at(), "patient-login", phone);
    const send = (ms: number) => refusal(startChallenge({ ...at(ms), device }, { purpose: "patient-login", phone }));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => send(0)));
    expect(outcomes.filter((o) => o === null)).toHaveLength(1);
    let sent = 1;
    for (let i = 1; i < 60; i++) if ((await send(minutes(i * 16))) === null) sent++;
    expect(sent).toBe(10);
  });

  it("one unknown device leaves codes for a new device at another address", async () => {
    const phone = newPhone();
    const outcomes: string[] = [];
    for (let i = 0; i < 60; i++) outcomes.push(await stranger(phone, minutes(i * 5), `2001:db8:7:${i}::1`));
    expect(outcomes.filter((o) => o === "sent")).toHaveLength(10);
    expect(await stranger(phone, minutes(301), "203.0.113.5")).toBe("sent");
  });
});

it("150 phones of a waiting room behind one address get their codes, each within two minutes", async () => {
  const ip = "192.0.2.150";
  const ask = (phone: string, ms: number, ticket?: string) =>
    startChallenge({ ...at(ms), ip }, { purpose: "patient-login", phone, ticket }).then(
      () => null,
      (e: DomainError) => e.detail as { seconds: number; ticket: string },
    );
  const waits = await Promise.all(
    Array.from({ length: 150 }, async () => {
      const phone = newPhone();
      let waited = 0;
      for (let told = await ask(phone, 0); told; told = await ask(phone, seconds(waited), told.ticket)) {
        waited += told.seconds;
        if (waited > 120) break;
      }
      return waited;
    }),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
  expect(Math.max(...waits)).toBeLessThanOrEqual(120);
});

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (e: DomainError) => e.code,
  );

it("an SMS that fails leaves no challenge, and is reported", async () => {
  const phone = newPhone();
  const context = at();
  const sms = { send: () => Promise.reject(new DomainError("unavailable")) };
  const error = await startChallenge(
    { ...context, integrations: { ...context.integrations, sms } },
    { purpose: "patient-login", phone },
  ).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: "unavailable", sentence: "Failed to send OTP" });
  expect(await findAppChallenge(context, { phone, purposes: ["patient-login"] })).toBeNull();
  // It does not count: the next one is sent at once.
  await startChallenge(context, { purpose: "patient-login", phone });
});

it("preserves the browser's earlier code when the provider fails", async () => {
  const made = await start("patient-login");
  const context = at(seconds(31));
  const sms = { send: () => Promise.reject(new DomainError("unavailable")) };
  const failing = { ...context, integrations: { ...context.integrations, sms } };
  expect(await refusal(startChallenge(failing, { purpose: "patient-login", phone: made.phone, replaces: made.challengeId }))).toBe(
    "unavailable",
  );
  expect(await verify(made.idHash, made.code, seconds(32), "patient-login")).toBe(made.phone);
});

it("deletes challenges a day after their end, not before", async () => {
  const made = await start("patient-login");
  await sweepChallenges(at(days(1)));
  expect((await sql`select from otp_challenges where id_hash = ${made.idHash}`).count).toBe(1);
  await sweepChallenges(at(days(1) + seconds(121)));
  expect((await sql`select from otp_challenges where id_hash = ${made.idHash}`).count).toBe(0);
});
