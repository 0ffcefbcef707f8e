/** `/q/{code}`: what a patient of a queue sees. Its code is the key, so it needs no login; it shows no names of patients. */
import { z } from "zod";
import { listFreeTimes } from "#app/domains/booking/appointments/free-times.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { pressToken, setTokenSms, TOKEN_ACTIONS } from "#app/domains/waiting-room/token-page/press-token.server.ts";
import { findToken, getSnapshot } from "#app/domains/waiting-room/token-page/snapshot.server.ts";
import { type Snapshot, type TokenView, TRAVEL, viewToken } from "#app/domains/waiting-room/token-page/token-view.ts";
import { ctxOf } from "#app/http/context.ts";
import { etagOf, isUnchanged } from "#app/http/etag.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { asRefusal, orRefuse, refusals } from "#app/http/refusals.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { bookingPath, timesPath } from "#app/lib/booking-paths.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { language } from "#app/lib/language.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { textIn } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { leavePage, type OtherTimes, refusedTokenPage, TOKEN_POLICY, tokenPage } from "../light/token-html.ts";
import type { Route } from "./+types/token.ts";

// Hundreds of phones ask often: no session is read, and open pages are no activity.
export const handle = { session: false, polled: true, secret: "code" } satisfies RouteRules;

const Press = z.object({ intent: z.enum([...TOKEN_ACTIONS, "stop-sms", "allow-sms"]) });

export const loader = load(({ context, params, request, url }: Route.LoaderArgs) =>
  answering(ctxOf(context), () => show(ctxOf(context), params.code, request, url)),
);

/** A plain form, then a redirect to the page. */
export function action({ context, params, request, url }: Route.ActionArgs) {
  return orRefuse(() => {
    const ctx = ctxOf(context);
    return answering(ctx, async () => {
      const { formData } = await readForm(request);
      const posted = Press.safeParse(Object.fromEntries(formData));
      if (!posted.success) throw new DomainError("invalid");
      const { intent } = posted.data;
      try {
        if (intent === "stop-sms" || intent === "allow-sms") await setTokenSms(ctx, { code: params.code, stopped: intent === "stop-sms" });
        else await pressToken(ctx, { code: params.code, action: intent });
      } catch (error) {
        if (!(error instanceof DomainError && error.code === "conflict")) throw error;
        return show(ctx, params.code, request, url, error.sentence ?? m.token_not_now());
      }
      return redirectTo(`${url.pathname}${url.search}`);
    });
  });
}

async function show(ctx: Ctx, code: string | undefined, request: Request, url: URL, notice: string | null = null): Promise<Response> {
  const { id, sessionId } = await findToken(ctx, code);
  const snapshot = await getSnapshot(ctx, sessionId);
  const asked = Number(url.searchParams.get("t"));
  const travel = TRAVEL.choices.find((one) => one === asked) ?? TRAVEL.default;
  const asksToLeave = notice === null && url.searchParams.has("leave");
  const rendered = notice || asksToLeave ? null : findRendered(snapshot, `${id} ${travel} ${language()}`, ctx.now);
  if (rendered) return answer(request, rendered);
  const view = viewToken(snapshot, id, ctx.now, travel);
  if (!view) throw new DomainError("not-found");
  const { doctor, doctorTexts, place, placeTexts, phone } = snapshot.practice;
  const texts = {
    doctor: textIn(doctorTexts, "name", doctor),
    place: textIn(placeTexts, "name", place),
    phone,
  };
  if (asksToLeave && view.may.leave) return page(200, leavePage(view, texts));
  const { html, tag } = tokenPage(view, texts, notice, etagOf, await otherTimes(ctx, snapshot, view));
  if (notice) return page(409, html);
  pages.get(snapshot)?.set(`${id} ${travel} ${language()}`, { html, tag, at: ctx.now.getTime() });
  return answer(request, { html, tag });
}

/** How many times the page of a patient who was not seen offers. */
const OFFERED = 3;
/** Returns the doctor's next times in this practice for a patient who was not seen; null for others. */
async function otherTimes(ctx: Ctx, { queue }: Snapshot, { state }: TokenView): Promise<OtherTimes | null> {
  if (state !== "unseen" && state !== "lapsed") return null;
  const { doctorId, practiceId, date } = queue.session;
  const free = await listFreeTimes(ctx, { doctorId, at: practiceId, most: OFFERED });
  const times = free.map(({ date, time }) => ({ date, time, path: bookingPath({ doctorId, date, time }) }));
  return { date, times, all: timesPath({ id: doctorId, practiceId }) };
}

function answer(request: Request, { html, tag }: { html: string; tag: string }): Response {
  if (isUnchanged(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers: HEADERS });
  return page(200, html, { ETag: tag });
}

/** How long a page is sent again while its session has not changed: only its minutes go on. */
const RENDERED_FOR = seconds(4);
/** The pages of each copy of a session. A change of the session drops them with the copy. */
const pages = new WeakMap<Snapshot, Map<string, { html: string; tag: string; at: number }>>();

function findRendered(snapshot: Snapshot, key: string, now: Date): { html: string; tag: string } | null {
  const own = pages.get(snapshot) ?? new Map();
  pages.set(snapshot, own);
  const known = own.get(key);
  return known && Math.abs(now.getTime() - known.at) < RENDERED_FOR ? known : null;
}

/** Answers a refusal with a page in the same size. Codes that do not exist are counted. */
async function answering(ctx: Ctx, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    if (refusal.code !== "not-found") return page(refusals[refusal.code].status, refusedTokenPage(refusals[refusal.code].sentence(), null));
    try {
      await spendLimits(ctx, [{ limit: "token-wrong", address: ctx.ip }]);
    } catch (limit) {
      if (limit instanceof DomainError && limit.code === "too-many") return page(429, refusedTokenPage(m.token_too_many(), null));
      throw limit;
    }
    return page(404, refusedTokenPage(m.token_unknown(), m.token_unknown_hint()));
  }
}

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  // Not `no-referrer`: browsers would send `Origin: null` with the forms, which the origin check refuses.
  "Referrer-Policy": "same-origin",
  Vary: "Accept-Language, Cookie",
};
const page = (status: number, html: string, more: Record<string, string> = {}) =>
  new Response(html, {
    status,
    headers: { ...HEADERS, "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": TOKEN_POLICY, ...more },
  });
