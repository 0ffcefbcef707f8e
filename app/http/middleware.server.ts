/** Request middleware and guards. Guards are middleware, because a guard in a loader does not protect the action. */
import { data, href, type MiddlewareFunction } from "react-router";
import { homeOf, loginOf, rolesOf } from "#app/areas.ts";
import { db } from "#app/db/pool.server.ts";
import type { Role } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { getRegistrationStatus } from "#app/domains/directory/doctors/queries.server.ts";
import { touchSession } from "#app/domains/platform/accounts/queries.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { switchLanguage } from "#app/lib/language.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LANGUAGE_PATH } from "#app/ui/languages.tsx";
import {
  actorOf,
  ctxContext,
  ctxOf,
  factsContext,
  type RequestFacts,
  type Session,
  seenContext,
  sessionContext,
  toastContext,
} from "./context.ts";
import { readDevice } from "./device-cookie.server.ts";
import { languageCookie, languageCookieOf, languageInAddress } from "./language.server.ts";
import { redirectTo, redirectWithToast } from "./redirects.server.ts";
import { redirectOfVisitor } from "./redirects-of-visitors.server.ts";
import { noteFault, orRefuse, throwRefusal } from "./refusals.server.ts";
import { idsIn, noteWrongRole, pathOf, recordingRefusals, type Seen } from "./refused-access.server.ts";
import { readsUntilAnswered } from "./restoring.server.ts";
import { readFormToSave, savedFormContext, sealForm } from "./saved-form.server.ts";
import { seenCookie, seenOf } from "./seen-cookie.server.ts";
import { mustChangePassword, readEndedSession, readSession, sessionToken } from "./session.server.ts";
import { clearToastCookie, readToast, shortenToastCookie } from "./toast.server.ts";
import { isUserActivity } from "./user-activity.ts";
import { bookingOfPath, waitingBookingCookie } from "./waiting-booking.server.ts";

type Guard = MiddlewareFunction<Response>;
type Asked = Parameters<Guard>[0];

/** JSON and files, which open pages request at any time: they show no toast. */
const isResource = (response: Response) =>
  /^(application|audio|image|text\/(csv|calendar|plain))\b/.test(response.headers.get("content-type") ?? "");

/** True for the data of a page that React Router loads in the browser. */
const isClientLoad = (request: Request) => new URL(request.url).pathname.endsWith(".data");

const setsLanguage = (response: Response) => response.headers.getSetCookie().some((cookie) => /^(__Host-)?lang=/.test(cookie));

/** Returns the domain context of a visitor. */
export const visitorCtx = (facts: RequestFacts): Ctx<null> => ({
  db: db(),
  actor: null,
  now: facts.now,
  integrations: integrations(),
  requestId: facts.requestId,
  ip: facts.ip,
});

/** Middleware of the root route: sets session, domain context and toast, and `no-store` on responses with a session. */
export const requestMiddleware: Guard = async ({ request, context, url, pattern }, next) => {
  const facts = context.get(factsContext);
  const { rules } = facts;
  const cookie = rules.cookies === false ? null : request.headers.get("cookie");
  const base = { ...visitorCtx(facts), device: readDevice(cookie) };
  const toast = readToast(cookie);
  let session: Session | null = null;
  try {
    session = rules.session === false ? null : await readSession(base, cookie);
    if (session && isUserActivity(request, rules)) session = await touchSession(base, session);
  } catch (error) {
    context.set(ctxContext, base);
    // Changing the language must work without the database: the cookie stores it, the account later.
    if (url.pathname !== LANGUAGE_PATH) throwRefusal(error);
    noteFault(error, "language");
  }
  context.set(sessionContext, session);
  if (session?.language && !languageInAddress(url.search)) switchLanguage(session.language);
  context.set(toastContext, toast);
  context.set(seenContext, seenOf(request.method, cookie));
  const db = readsUntilAnswered(base.db);
  const ctx: Ctx = session ? { ...base, db, actor: actorOf(session) } : base;
  context.set(ctxContext, ctx);
  // Limits, origin check, log and guard follow one route: another one must not run.
  if (facts.route?.pattern !== pattern) throwRefusal(new DomainError("not-found"));
  const watched: Seen = { ctx, page: pathOf(url.pathname), ids: new Set(idsIn(url.pathname.split("/"))), code: null, wrongRole: false };
  const response = await recordingRefusals(watched, next);
  const seen = await seenCookie(request.method);
  if (seen) response.headers.append("Set-Cookie", seen);
  if (session || toast || response.headers.has("Set-Cookie")) response.headers.set("Cache-Control", "no-store");
  // A toast is shown once, by the page and not by a redirect before it. React Router's client redirects have status 202.
  const isShown = response.status < 300 && response.status !== 202 && !isResource(response);
  if (toast && isShown && !response.headers.getSetCookie().some((c) => c.includes("toast=")))
    response.headers.append("Set-Cookie", toast.id && isClientLoad(request) ? shortenToastCookie(toast) : clearToastCookie());
  // Pages without a session (SOS, login) know the language by the cookie only, and the account's may be from another device.
  if (session?.language && session.language !== languageCookieOf(cookie) && !isResource(response) && !setsLanguage(response))
    response.headers.append("Set-Cookie", languageCookie(session.language));
  return response;
};

/** Page on which users with a weak password choose a new one. */
export const WEAK_PASSWORD_PATH = href("/account/password");

/** Middleware of the root route, after `requestMiddleware`: the guard of every page, form and file, by the area of its route (app/areas.ts). */
export const guardArea: Guard = async (args, next) => {
  const area = args.context.get(factsContext).route?.area;
  if (!area) throw new Error("a route without an area");
  const roles = rolesOf(area);
  if (roles) await requireRole(roles, args);
  if (area === "doctor") await requireVerifiedDoctor(args);
  if (area === "applicant") await requireDraftDoctor(args);
  return next();
};

/** Allows these roles only. Redirects visitors to the login and back, and other roles to their home page. @throws a redirect or refusal */
export async function requireRole(roles: readonly [Role, ...Role[]], { request, context, url, pattern }: Asked): Promise<void> {
  const session = context.get(sessionContext);
  if (!session) {
    const specified = redirectOfVisitor(pattern, request.method);
    if (specified) throw specified;
    if (request.method === "POST") await saveForm({ request, context, url }, roles);
    const ofForm = request.method === "GET" ? null : pageOfForm(request);
    // With its cookie a session was ended elsewhere, or has expired. A form of this very page was opened with one, which a logout may have ended.
    const isEnded = sessionToken(request.headers.get("cookie")) !== null || ofForm?.split("?")[0] === url.pathname;
    const page = request.method === "GET" ? url.pathname + url.search : isEnded ? ofForm : null;
    const booking = page === null ? null : bookingOfPath(page);
    const cookies = booking ? [waitingBookingCookie(booking)] : [];
    const login = `${loginOf(roles[0])}${page === null ? "" : `?redirectTo=${encodeURIComponent(page)}`}`;
    throw isEnded ? redirectWithToast(login, m.accounts_session_ended(), { type: "info", cookies }) : redirectTo(login, { cookies });
  }
  const isWrong = !roles.includes(session.role);
  if (isWrong) noteWrongRole();
  if (isWrong && request.method !== "GET") throwRefusal(new DomainError("forbidden"));
  if (mustChangePassword(session) && url.pathname !== WEAK_PASSWORD_PATH) {
    if (request.method !== "GET") throwRefusal(new DomainError("forbidden", m.accounts_weak_first()));
    throw redirectTo(WEAK_PASSWORD_PATH);
  }
  if (isWrong) throw redirectWithToast(homeOf(session.role), m.error_forbidden(), { type: "error" });
}

/** Returns the path of the page that a form was sent from; null for another site, or unknown. */
function pageOfForm(request: Request): string | null {
  const referer = request.headers.get("referer") ?? "";
  if (!URL.canParse(referer)) return null;
  const { origin, pathname, search } = new URL(referer);
  return origin === new URL(request.url).origin ? pathname + search : null;
}

/**
 * Saves a form posted after the session ended in the login page, encrypted for the same account. Returns when there is nothing
 * to save: a visitor, a logout, a body that is not a form, a `fetch`.
 */
async function saveForm({ request, context, url }: Pick<Asked, "request" | "context" | "url">, roles: readonly Role[]) {
  const facts = context.get(factsContext);
  const byRouter = isClientLoad(request);
  // A `fetch` of our scripts does not show a page.
  if (!byRouter && !["document", "iframe", null].includes(request.headers.get("sec-fetch-dest"))) return;
  const ended = await orRefuse(() => readEndedSession(visitorCtx(facts), request.headers.get("cookie")));
  if (!ended || !roles.includes(ended.role)) return;
  const login = loginOf(ended.role);
  let sealed: string | null;
  try {
    sealed = sealForm({ account: ended.userId, path: url.pathname + url.search, ...(await readFormToSave(request)) }, facts.now);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return;
  }
  if (!sealed) throw redirectWithToast(login, m.accounts_form_too_large(), { type: "warning" });
  context.set(savedFormContext, sealed);
  if (byRouter) throw data({ code: "unauthenticated", message: m.accounts_session_ended(), login, savedForm: sealed }, { status: 401 });
  throw redirectTo(login);
}

const statusOf = (context: Asked["context"]) => orRefuse(() => getRegistrationStatus(ctxOf(context)));

/**
 * Allows verified doctors only (specification 000 §4). Redirects under review to /doctor-verify, others to /hospital-form,
 * which redirects doctors who have submitted.
 */
async function requireVerifiedDoctor({ context }: Asked): Promise<void> {
  const status = await statusOf(context);
  if (status !== "verified") throw redirectTo(status === "under review by hospital" ? href("/doctor-verify") : href("/hospital-form"));
}

/** Allows doctors with a draft application (specification 000 §2). Redirects verified doctors to the dashboard, others to /doctor-verify. */
async function requireDraftDoctor({ context }: Asked): Promise<void> {
  const status = await statusOf(context);
  if (status !== "draft") throw redirectTo(status === "verified" ? href("/doctor-dashboard") : href("/doctor-verify"));
}
