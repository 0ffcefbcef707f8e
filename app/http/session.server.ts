import { settleLanguage } from "#app/domains/accounts/languages.server.ts";
import { findEndedSession, findSession, touchSession } from "#app/domains/accounts/queries.server.ts";
import { SESSION_LIFETIMES, sessionEnd } from "#app/domains/accounts/session-lifetimes.ts";
import { ENDED_SESSION_KEPT, endSession, SESSION_LIFE } from "#app/domains/accounts/sessions.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { switchLanguage } from "#app/lib/language.server.ts";
import { BASE_LANGUAGE } from "#app/lib/language.ts";
import type { Session } from "./context.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";
import { acceptedLanguage, languageCookie, languageCookieOf } from "./language.server.ts";

const NAME = "nadi_session";

export const sessionToken = (cookieHeader: string | null | undefined) => readCookie(cookieHeader, NAME);
/** Outlives the session, so that a form posted after its end is known to belong to the same account. */
const sessionCookie = (token: string) => writeCookie(NAME, token, (SESSION_LIFE + ENDED_SESSION_KEPT) / 1000);
export const clearSessionCookie = () => writeCookie(NAME, "", 0);

/** The live session behind a Cookie header; null for a visitor, and without asking the database when there is no cookie. */
export async function readSession(ctx: Ctx, cookieHeader: string | null | undefined): Promise<Session | null> {
  const token = sessionToken(cookieHeader);
  if (!token || token.length > 100) return null;
  const session = await findSession(ctx, hashToken(token));
  // A token of an app opens no page.
  return session?.kind === "browser" ? session : null;
}

/** The session behind a Cookie header that has expired, a week at most after its end; null after a logout. */
export async function readEndedSession(ctx: Ctx, cookieHeader: string | null | undefined): Promise<Actor | null> {
  const token = sessionToken(cookieHeader);
  return token && token.length <= 100 ? findEndedSession(ctx, hashToken(token)) : null;
}

/** The live session behind `Authorization: Bearer …`; null without one. A cookie's token is none. */
export async function readBearer(ctx: Ctx, authorization: string | null): Promise<Session | null> {
  const token = bearerOf(authorization);
  if (!token || token.length > 100) return null;
  const session = await findSession(ctx, hashToken(token));
  if (session?.kind !== "api") return null;
  await touchSession(ctx, session);
  return session;
}
/** The token of an Authorization header; null when it carries none. */
export const bearerOf = (authorization: string | null): string | null => /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;

/** The idle limit of a session, and what is left of it on a page sent now; null for patients, who have none. `minutes`: the limit. */
export function idleOf(session: Session | null, now: Date): { left: number; minutes: number } | null {
  const idle = session && SESSION_LIFETIMES[session.role][session.kind].idle;
  if (!session || idle === null) return null;
  return { left: Math.max(0, Math.floor((sessionEnd(session).getTime() - now.getTime()) / 1000)), minutes: idle / 60_000 };
}

/** A reviewer or an administrator with a weak password changes it before anything else. */
export const mustChangePassword = ({ role, passwordWeakSince }: Session): boolean =>
  passwordWeakSince !== null && (role === "reviewer" || role === "admin");

/** After a login: ends whatever session the browser brought and gives the cookie of the new one; from here on the account's language is spoken. */
export async function replaceSession(ctx: Ctx, request: Request, token: string): Promise<string[]> {
  const old = sessionToken(request.headers.get("cookie"));
  if (old) await endSession(ctx, hashToken(old));
  const header = request.headers.get("cookie");
  // What the browser merely asks for counts when it is not English, which everybody without a choice is spoken to in.
  const asked = acceptedLanguage(request.headers.get("accept-language"));
  const chosen = await settleLanguage(ctx, hashToken(token), languageCookieOf(header) ?? (asked === BASE_LANGUAGE ? null : asked));
  if (!chosen) return [sessionCookie(token)];
  switchLanguage(chosen);
  // Pages that stand alone do not ask who is there, and know the cookie only.
  return [sessionCookie(token), ...(chosen === languageCookieOf(header) ? [] : [languageCookie(chosen)])];
}
