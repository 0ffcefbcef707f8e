import { findSession } from "#app/domains/accounts/queries.server.ts";
import { endSession, SESSION_LIFE } from "#app/domains/accounts/sessions.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import type { Session } from "./context.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

const NAME = "nadi_session";

export const sessionToken = (cookieHeader: string | null | undefined) => readCookie(cookieHeader, NAME);
export const sessionCookie = (token: string) => writeCookie(NAME, token, SESSION_LIFE / 1000);
export const clearSessionCookie = () => writeCookie(NAME, "", 0);

/** The live session behind a Cookie header; null for a visitor, and without asking the database when there is no cookie. */
export async function readSession(ctx: Ctx, cookieHeader: string | null | undefined): Promise<Session | null> {
  const token = sessionToken(cookieHeader);
  if (!token || token.length > 100) return null;
  return findSession(ctx, hashToken(token));
}

/** After a login: ends whatever session the browser brought and gives the cookie of the new one. */
export async function replaceSession(ctx: Ctx, request: Request, token: string): Promise<string[]> {
  const old = sessionToken(request.headers.get("cookie"));
  if (old) await endSession(ctx, hashToken(old));
  return [sessionCookie(token)];
}
