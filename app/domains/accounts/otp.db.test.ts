import { describe, expect, it } from "vitest";
import type { OtpPurpose } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days, seconds } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { newPhone } from "../../../tests/factories/people.ts";
import { testDb } from "../../../tests/setup/test-db.ts";
import {
  consumeVerified,
  endChallenge,
  findChallenge,
  findNewestChallenge,
  startChallenge,
  sweepChallenges,
  verifyChallenge,
} from "./otp.server.ts";

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

describe("the life of a code", () => {
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

it("a code is for its own purpose and its own challenge", async () => {
  const [patient, doctor] = [await start("patient-login"), await start("doctor-login")];
  expect(await verify(patient.idHash, patient.code, 0, ["doctor-login", "doctor-register"])).toBe("EXPIRED");
  expect(await verify(doctor.idHash, doctor.code, 0, "patient-login")).toBe("EXPIRED");
  expect(await findChallenge(at(), patient.challengeId, ["doctor-login"])).toBeNull();
  // The jar of one row does not open in another, even by a hand inside the database.
  await sql`update otp_challenges d set jar = p.jar, code_hmac = p.code_hmac from otp_challenges p where d.id_hash = ${doctor.idHash} and p.id_hash = ${patient.idHash}`;
  expect(await verify(doctor.idHash, patient.code, 0, "doctor-login")).not.toBe(doctor.phone);
});

it("a payload comes back whole, lies sealed in its row, and is gone at the end", async () => {
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

it("a newer challenge ends the older; another purpose of the same phone goes on", async () => {
  const first = await start("patient-login");
  const second = await startChallenge(at(seconds(31)), { purpose: "patient-login", phone: first.phone });
  expect(await findChallenge(at(seconds(31)), first.challengeId, "patient-login")).toBeNull();
  const third = await startChallenge(at(seconds(62)), { purpose: "doctor-login", phone: first.phone });
  expect((await findNewestChallenge(at(seconds(62)), first.phone, ["patient-login"]))?.idHash).toBe(hashToken(second.challengeId));
  expect((await findNewestChallenge(at(seconds(62)), first.phone, ["doctor-login"]))?.idHash).toBe(hashToken(third.challengeId));
  await endChallenge(at(seconds(63)), second.challengeId);
  expect(await findNewestChallenge(at(seconds(63)), first.phone, ["patient-login"])).toBeNull();
});

it("a text message that cannot be sent leaves no challenge behind, and says so", async () => {
  const phone = newPhone();
  const context = at();
  const sms = { send: () => Promise.reject(new DomainError("unavailable")) };
  const error = await startChallenge(
    { ...context, integrations: { ...context.integrations, sms } },
    { purpose: "patient-login", phone },
  ).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: "unavailable", sentence: "Failed to send OTP" });
  expect(await findNewestChallenge(at(), phone, ["patient-login"])).toBeNull();
});

it("challenges are forgotten a day after their end, not before", async () => {
  const made = await start("patient-login");
  await sweepChallenges(at(days(1)));
  expect((await sql`select from otp_challenges where id_hash = ${made.idHash}`).count).toBe(1);
  await sweepChallenges(at(days(1) + seconds(121)));
  expect((await sql`select from otp_challenges where id_hash = ${made.idHash}`).count).toBe(0);
});
