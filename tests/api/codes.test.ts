/** One-time codes by API: which client may continue which challenge, and what an unknown client can use up. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeDoctor, newEmail, newPhone, typed } from "../factories/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { ApiClient, type Refusal } from "./client.ts";

const PASSWORD = "corréct-horse-9";
let server: TestServer;
let base: ApiClient;
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
  base = await ApiClient.of(server.url);
});
afterAll(() => server?.stop());

let networks = 0;
/** Returns a client behind the proxy, with an address of its own. */
function from(address = `198.18.1.${++networks}`): ApiClient {
  const client = base.as(null);
  client.headers = { "x-forwarded-for": address };
  return client;
}
const pass = (seconds: number) => server.clock.advance(seconds * 1000);
const wrongOf = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, "0");

describe("a patient's code", () => {
  const ask = async (client: ApiClient, phone: string) => {
    const { challengeId } = (await client.call("sendPatientOtp", { body: { phoneNumber: typed(phone) } })).body;
    return { challengeId, otp: await server.lastCode(phone) };
  };
  const check = (client: ApiClient, phone: string, otp: string, challengeId?: string) =>
    client.send("verifyPatientOtp", { body: { phoneNumber: typed(phone), otp, ...(challengeId && { challengeId }) } });

  it("survives sends and guesses of another client", async () => {
    const phone = newPhone();
    const [owner, stranger] = [from(), from()];
    const { otp } = await ask(owner, phone);
    pass(31);
    await ask(stranger, phone);
    for (let i = 0; i < 7; i++) await check(stranger, phone, "000000");
    expect((await check(owner, phone, otp)).status).toBe(200);
  });

  it("requires the address that requested it, or its challengeId", async () => {
    const phone = newPhone();
    const { otp, challengeId } = await ask(from("2001:db8:5:6::1"), phone);
    expect((await check(from(), phone, otp)).status).toBe(400);
    expect((await check(from(), phone, otp, "another-challenge")).status).toBe(400);
    // An id is bound: the challenge of another phone or purpose is refused.
    const other = await ask(from(), newPhone());
    expect((await check(from(), phone, other.otp, other.challengeId)).status).toBe(400);
    const rotated = from("2001:db8:5:6:aaaa::9");
    expect((await check(rotated, phone, wrongOf(otp))).status).toBe(400);
    expect((await check(from(), phone, otp, challengeId)).status).toBe(200);
    expect((await check(rotated, phone, otp, challengeId)).status).toBe(400);
  });

  it("waits with a retryTicket behind a busy address, and not with a deviceToken", async () => {
    const address = "198.18.9.9";
    const phone = newPhone();
    const owner = from(address);
    const first = await ask(owner, phone);
    const { deviceToken } = (await check(owner, phone, first.otp)).body as { deviceToken: string };
    expect(deviceToken).not.toContain(typed(phone));
    for (let i = 0; i < 20; i++) await owner.send("sendPatientOtp", { body: { phoneNumber: typed(newPhone()) } });
    const stranger = { phoneNumber: typed(newPhone()) };
    const refused = await owner.send("sendPatientOtp", { body: stranger });
    const { retryTicket } = refused.body as Refusal & { retryTicket: string };
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect((await owner.send("sendPatientOtp", { body: { ...stranger, retryTicket } })).status).toBe(429);
    pass(6);
    await owner.call("sendPatientOtp", { body: { ...stranger, retryTicket } });
    pass(31);
    expect((await owner.send("sendPatientOtp", { body: { ...stranger, retryTicket } })).status).toBe(429);
    await owner.call("sendPatientOtp", { body: { phoneNumber: typed(phone), deviceToken } });
  });
});

describe("a doctor's proof", () => {
  const begin = async (client: ApiClient, phone: string, email: string, isRegistration: boolean) => {
    const { challengeId } = (await client.call("sendDoctorOtp", { body: { phone: typed(phone), email, isRegistration } })).body;
    return { challengeId, otp: await server.lastCode(phone) };
  };
  const prove = async (client: ApiClient, phone: string, email: string, isRegistration = true) => {
    const { challengeId, otp } = await begin(client, phone, email, isRegistration);
    return (await client.call("verifyDoctorOtp", { body: { phone: typed(phone), email, otp, challengeId } })).body.verificationToken;
  };
  const finish = (client: ApiClient, phone: string, email: string, verificationToken?: string, password = PASSWORD) =>
    client.send("doctorAuth", { body: { email, password, mobileNumber: typed(phone), ...(verificationToken && { verificationToken }) } });

  it("registers from any address with its verificationToken, once", async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const token = await prove(from(), phone, email);
    expect((await finish(from(), phone, email, token)).body).toMatchObject({ isNewlyRegistered: true });
    expect((await finish(from(), phone, email, token)).status).toBe(400);
  });

  it("without it registers from the same address only, and for two minutes", async () => {
    const [phone, email, owner] = [newPhone(), newEmail(), from()];
    await prove(owner, phone, email);
    expect((await finish(from(), phone, email)).status).toBe(400);
    pass(119);
    expect((await finish(owner, phone, email)).status).toBe(200);
    const late = { phone: newPhone(), email: newEmail(), owner: from() };
    const token = await prove(late.owner, late.phone, late.email);
    pass(121);
    expect((await finish(late.owner, late.phone, late.email)).status).toBe(400);
    expect((await finish(late.owner, late.phone, late.email, token)).status).toBe(200);
  });

  it("refuses the token of another user or an invalid one, from the same address too", async () => {
    const owner = from();
    const [a, b] = [
      { phone: newPhone(), email: newEmail() },
      { phone: newPhone(), email: newEmail() },
    ];
    const [tokenA, tokenB] = [await prove(owner, a.phone, a.email), await prove(owner, b.phone, b.email)];
    for (const token of [tokenB, `${tokenA.split(".")[0]}.${"0".repeat(64)}`, "x"])
      expect((await finish(owner, a.phone, a.email, token)).status).toBe(400);
    expect((await finish(owner, a.phone, a.email, tokenA)).status).toBe(200);
  });

  it("survives two wrong passwords, not three", async () => {
    const doctor = await makeDoctor(server.db, { password: PASSWORD });
    const owner = from();
    const token = await prove(owner, doctor.phone, doctor.email, false);
    for (let i = 0; i < 2; i++) {
      const refused = await finish(owner, doctor.phone, doctor.email, token, `mistyped-${i}`);
      expect([refused.status, (refused.body as Refusal).message]).toEqual([400, "Login failed"]);
    }
    expect((await finish(owner, doctor.phone, doctor.email, token)).status).toBe(200);
    pass(31);
    const again = await prove(owner, doctor.phone, doctor.email, false);
    for (let i = 0; i < 3; i++) await finish(owner, doctor.phone, doctor.email, again, `mistyped-${i}`);
    expect((await finish(owner, doctor.phone, doctor.email, again)).body).toMatchObject({ message: "Please verify OTP first" });
  });

  it("continues with the code of the same address after another client requested one with the same email", async () => {
    const [phone, email, owner, stranger] = [newPhone(), newEmail(), from(), from()];
    const { otp } = await begin(owner, phone, email, true);
    pass(31);
    await begin(stranger, phone, email, true);
    for (let i = 0; i < 6; i++) await stranger.send("verifyDoctorOtp", { body: { phone: typed(phone), email, otp: "000000" } });
    await owner.call("verifyDoctorOtp", { body: { phone: typed(phone), email, otp } });
    expect((await finish(owner, phone, email)).status).toBe(200);
  });
});
