import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { Browser } from "./http.ts";
import type { TestServer } from "./server.ts";

/** The demo accounts. */
export const DEMO = {
  patient: { role: "patient", phone: "+919000000001" },
  doctor: { role: "doctor", email: "doctor@demo.test" },
  reviewer: { role: "reviewer", email: "reviewer@demo.test" },
  admin: { role: "admin", email: "admin@demo.test" },
  owner: { role: "staff", email: "owner@demo.test" },
  reception: { role: "staff", email: "reception@demo.test" },
} as const;

export type LoggedIn = Browser & { userId: string; token: string };

/**
 * Creates a session without the login pages. It is never idle. Creates an account for an unknown phone.
 * @param options.proven `false`: the login is too long ago for sensitive actions (accounts/proof.ts)
 */
export async function loginAs(
  server: TestServer,
  account: { role: string; phone?: string; email?: string },
  options: { proven?: boolean } = {},
): Promise<LoggedIn> {
  const { sql } = server;
  let [user] = await sql<{ id: string }[]>`
    select id from users where role = ${account.role} and (phone = ${account.phone ?? null} or email = ${account.email ?? null})`;
  if (!user) {
    [user] = await sql<
      { id: string }[]
    >`insert into users (role, phone, email) values (${account.role}, ${account.phone ?? null}, ${account.email ?? null}) returning id`;
    if (account.role === "patient") await sql`insert into patients (id) values (${user!.id})`;
  }
  const token = randomToken();
  const provenDays = options.proven === false ? -1 : 400;
  await sql`insert into sessions (token_hash, user_id, last_seen_at, expires_at, proven_at, proven_by)
    values (${hashToken(token)}, ${user!.id}, now() + interval '400 days', now() + interval '400 days',
      now() + make_interval(days => ${provenDays}), 'login')`;
  const browser = new Browser(server.url);
  browser.cookies.set("nadi_session", token);
  return Object.assign(browser, { userId: user!.id, token });
}
