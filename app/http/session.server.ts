import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { settleLanguage } from "#app/domains/platform/accounts/languages.server.ts";
import { findEndedSession, findSession, touchSession } from "#app/domains/platform/accounts/queries.server.ts";
import { SESSION_LIFETIMES, sessionEnd } from "#app/domains/platform/accounts/session-lifetimes.ts";
import { ENDED_SESSION_STORED, endSession, SESSION_LIFE } from "#app/domains/platform/accounts/sessions.server.ts";
import { movePushBrowser } from "#app/domains/platform/push/follow-browser.server.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { switchLanguage } from "#app/lib/language.server.ts";
import { BASE_LANGUAGE } from "#app/lib/language.ts";
import type { Session } from "./context.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";
import { acceptedLanguage, languageCookie, languageCookieOf } from "./language.server.ts";

const NAME = "nadi_session";

export const sessionToken = (cookieHeader: string | null | undefined) => readCookie(cookieHeader, NAME);
/** The cookie outlives the session, so that a form posted later can be saved for the same account. */
const sessionCookie = (token: string) => writeCookie(NAME, token, (SESSION_LIFE + ENDED_SESSION_STORED) / 1000);
export const clearSessionCookie = () => writeCookie(NAME, "", 0);

/** Reads the active session of a Cookie header; null for a visitor. No query without a cookie. */
export async function readSession(ctx: Ctx, cookieHeader: string | null | undefined): Promise<Session | null> {
  const token = sessionToken(cookieHeader);
  if (!token || token.length > 100) return null;
  const session = await findSession(ctx, hashToken(token));
  // Tokens of apps are for the API only.
  return session?.kind === "browser" ? session : null;
}

/** Reads an expired session of a Cookie header, at most a week after its end; null after a logout. */
export async function readEndedSession(ctx: Ctx, cookieHeader: string | null | undefined): Promise<Actor | null> {
  const token = sessionToken(cookieHeader);
  return token && token.length <= 100 ? findEndedSession(ctx, hashToken(token)) : null;
}

/** Reads the active session of `Authorization: Bearer …`, or null. Refuses tokens of cookies. */
export async function readBearer(ctx: Ctx, authorization: string | null): Promise<Session | null> {
  const token = bearerOf(authorization);
  if (!token || token.length > 100) return null;
  const session = await findSession(ctx, hashToken(token));
  if (session?.kind !== "api") return null;
  await touchSession(ctx, session);
  return session;
}
/** Returns the bearer token of an Authorization header, or null. */
export const bearerOf = (authorization: string | null): string | null => /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;

/** Returns the idle limit of a session in `minutes` and the time left; null for patients, who have none. */
export function idleOf(session: Session | null, now: Date): { left: number; minutes: number } | null {
  const idle = session && SESSION_LIFETIMES[session.role][session.kind].idle;
  if (!session || idle === null) return null;
  return { left: Math.max(0, Math.floor((sessionEnd(session).getTime() - now.getTime()) / 1000)), minutes: idle / 60_000 };
}

/** True for a reviewer, administrator or member of staff with a weak password, who must change it first. */
export const mustChangePassword = ({ role, passwordWeakSince }: Session): boolean =>
  passwordWeakSince !== null && (role === "reviewer" || role === "admin" || role === "staff");

/** After a login: ends the browser's previous session, returns the cookies of the new one and switches to the account's language. */
export async function replaceSession(ctx: Ctx, request: Request, token: string): Promise<string[]> {
  const old = sessionToken(request.headers.get("cookie"));
  if (old) {
    await movePushBrowser(ctx, hashToken(old), hashToken(token));
    await endSession(ctx, hashToken(old));
  }
  const header = request.headers.get("cookie");
  // Accept-Language counts unless it is English, the default.
  const asked = acceptedLanguage(request.headers.get("accept-language"));
  const chosen = await settleLanguage(ctx, hashToken(token), languageCookieOf(header) ?? (asked === BASE_LANGUAGE ? null : asked));
  if (!chosen) return [sessionCookie(token)];
  switchLanguage(chosen);
  // Pages that do not read the session know the language by the cookie only.
  return [sessionCookie(token), ...(chosen === languageCookieOf(header) ? [] : [languageCookie(chosen)])];
}
