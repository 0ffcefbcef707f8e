/** Users who log in through the API, as an app does. */
import { users } from "#app/db/schema/index.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { newEmail, newPhone, typed } from "../factories/people.ts";
import type { TestServer } from "../setup/server.ts";
import type { ApiClient } from "./client.ts";

export const PASSWORD = "a-good-long-one";

/** The three login calls of a doctor, reviewer or administrator. */
export async function doctorLogin(
  server: TestServer,
  client: ApiClient,
  who: { email: string; phone: string; password?: string; isRegistration?: boolean },
) {
  const phone = typed(who.phone);
  const { email } = who;
  await client.call("sendDoctorOtp", { body: { phone, email, isRegistration: who.isRegistration ?? false } });
  const proven = await client.call("verifyDoctorOtp", { body: { phone, email, otp: await server.lastCode(who.phone) } });
  const done = await client.call("doctorAuth", { body: { email, password: who.password ?? PASSWORD, mobileNumber: phone } });
  return { proven: proven.body, done: done.body, client: client.as(done.body.token) };
}

export async function patientLogin(server: TestServer, client: ApiClient, phone = newPhone()) {
  await client.call("sendPatientOtp", { body: { phoneNumber: typed(phone) } });
  const given = await client.call("verifyPatientOtp", { body: { phoneNumber: typed(phone), otp: await server.lastCode(phone) } });
  return { ...given.body, phone, client: client.as(given.body.token) };
}

/** Inserts a staff user with a password. */
export async function staff(server: TestServer, role: "reviewer" | "admin") {
  const [phone, email] = [newPhone(), newEmail()];
  const [user] = await server.db
    .insert(users)
    .values({ role, phone, email, staffName: `Proof ${role}`, passwordHash: await hashPassword(PASSWORD) })
    .returning({ id: users.id });
  return { id: user!.id, phone, email };
}

/** Returns a token of an app without the login calls. */
export async function tokenFor(server: TestServer, userId: string, agent = "NadiApp/1.0"): Promise<string> {
  const token = randomToken();
  await server.sql`insert into sessions (token_hash, user_id, kind, last_seen_at, expires_at, user_agent)
    values (${hashToken(token)}, ${userId}, 'api', now() + interval '400 days', now() + interval '400 days', ${agent})`;
  return token;
}
