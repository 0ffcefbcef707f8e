import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { Browser } from "./http.ts";
import type { TestServer } from "./server.ts";

/** The demo accounts of contract.md, and how to find them. */
export const DEMO = {
  patient: { role: "patient", phone: "+919000000001" },
  doctor: { role: "doctor", email: "doctor@demo.test" },
  reviewer: { role: "reviewer", email: "reviewer@demo.test" },
  admin: { role: "admin", email: "admin@demo.test" },
} as const;

export type LoggedIn = Browser & { userId: string; token: string };

/**
 * A browser that is logged in, without walking through the login. Its session is never idle. Unknown phones become new patients.
 * @param options.proven `false`: the login is so long ago that it is no fresh proof (accounts/proof.ts) any more
 */
export async function loginAs(
  server: TestServer,
  who: { role: string; phone?: string; email?: string },
  options: { proven?: boolean } = {},
): Promise<LoggedIn> {
  const { sql } = server;
  let [user] = await sql<{ id: string }[]>`
    select id from users where role = ${who.role} and (phone = ${who.phone ?? null} or email = ${who.email ?? null})`;
  if (!user) {
    [user] = await sql<
      { id: string }[]
    >`insert into users (role, phone, email) values (${who.role}, ${who.phone ?? null}, ${who.email ?? null}) returning id`;
    if (who.role === "patient") await sql`insert into patients (id) values (${user!.id})`;
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
