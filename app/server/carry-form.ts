/**
 * Carries a form that was posted after its session had ended through the login (http/saved-form.server.ts). A hidden field does
 * not survive a redirect, so the redirects of such a login are followed here: the response to a post is the next page, with the
 * field. After the login it is the page of the form, filled in.
 */
import type { RouterContextProvider } from "react-router";
import { factsContext } from "#app/http/context.ts";
import { visitorCtx } from "#app/http/middleware.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { withRestoring } from "#app/http/restoring.server.ts";
import { openForm, savedFormContext } from "#app/http/saved-form.server.ts";
import { readSession, sessionToken } from "#app/http/session.server.ts";
import { toastCookie } from "#app/http/toast.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LOGIN_PAGES, SAVED_FORM } from "#app/ui/saved-form.ts";
import { renderingContext } from "./rendering.ts";

type Handle = (request: Request, context: RouterContextProvider) => Promise<Response>;
/** Most file names shown after the login. */
const FILES_NAMED = 4;

/** Runs React Router for one request. `body`: a body already read. `newContext`: creates the context of a page at this path. */
export async function answerCarrying(
  handle: Handle,
  request: Request,
  newContext: (url: string) => RouterContextProvider,
  body: Buffer | undefined,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const context = newContext(pathname + search);
  const posted = LOGIN_PAGES.includes(pathname) ? carriedBy(request, body) : null;
  context.set(savedFormContext, posted?.sealed ?? null);
  const cookies = request.headers.get("cookie") ?? "";
  if (posted) {
    const restored = await restore(posted.sealed, cookies);
    if (restored instanceof Response) return restored;
    // From the page about the expired session: there is no login input yet.
    if (!posted.pressed) return get(pathname + search, cookies, posted.sealed);
  }

  const response = await handle(request, context);
  const sealed = context.get(savedFormContext);
  const location = response.headers.get("location");
  if (!sealed || !location || response.status >= 400) return response;
  const set = response.headers.getSetCookie();
  const now = mergeCookies(cookies, set);
  if (sessionToken(now) !== sessionToken(cookies)) {
    const restored = await restore(sealed, now);
    if (restored === "late") return withCookies(redirectWithToast(location, m.accounts_form_late(), { type: "warning" }), set);
    return restored ? withCookies(restored, set) : response;
  }
  return LOGIN_PAGES.includes(location.split("?", 1)[0] ?? "") ? withCookies(await get(location, now, sealed), set) : response;

  function get(path: string, cookie: string, sealed: string): Promise<Response> {
    const next = newContext(path);
    next.set(savedFormContext, sealed);
    next.get(renderingContext).address = path;
    return handle(new Request(new URL(path, request.url), { headers: headersWith(request, cookie), signal: request.signal }), next);
  }

  /** Renders the page of the form for the account of this session. Null: no session, another account, or the page cannot be shown. */
  async function restore(sealed: string, cookie: string): Promise<Response | "late" | null> {
    const facts = context.get(factsContext);
    const session = await readSession(visitorCtx(facts), cookie);
    const form = session && openForm(sealed, session.userId, facts.now);
    if (!form || form === "late") return form;
    const files = form.files.slice(0, FILES_NAMED).join(", ");
    const message = files ? m.accounts_form_restored_files({ files }) : m.accounts_form_restored();
    const withToast = mergeCookies(cookie, [toastCookie({ type: "info", message })]);
    const next = newContext(form.path);
    next.get(renderingContext).address = form.path;
    const again = new Request(new URL(form.path, request.url), {
      method: "POST",
      headers: headersWith(request, withToast),
      body: new URLSearchParams(form.fields),
      signal: request.signal,
    });
    const page = await withRestoring(() => handle(again, next));
    if (page.status === 200) return page;
    next.get(renderingContext).address = undefined;
    return null;
  }
}

/** Reads the sealed form from a login page's post. `pressed`: a button of the login page was pressed. */
function carriedBy(request: Request, body: Buffer | undefined): { sealed: string; pressed: boolean } | null {
  if (request.method !== "POST" || !body?.includes(`${SAVED_FORM}=`)) return null;
  const fields = new URLSearchParams(body.toString());
  const sealed = fields.get(SAVED_FORM);
  return sealed ? { sealed, pressed: fields.size > 1 } : null;
}

/** Returns a Cookie header after these Set-Cookie lines. */
function mergeCookies(header: string, set: readonly string[]): string {
  const jar = new Map<string, string>();
  const take = (pair: string) => {
    const eq = pair.indexOf("=");
    if (eq > 0) jar.set(pair.slice(0, eq).trim(), pair.slice(eq + 1).trim());
  };
  for (const pair of header.split(";")) take(pair);
  for (const line of set) {
    const [pair = ""] = line.split(";");
    if (/;\s*max-age=0\b/i.test(line)) jar.delete(pair.split("=", 1)[0] ?? "");
    else take(pair);
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}

function headersWith(request: Request, cookie: string): Headers {
  const headers = new Headers(request.headers);
  for (const name of ["content-type", "content-length", "transfer-encoding", "expect"]) headers.delete(name);
  headers.set("cookie", cookie);
  return headers;
}

/** Puts the cookies of an earlier response before those of this one. */
function withCookies(response: Response, set: readonly string[]): Response {
  const own = response.headers.getSetCookie();
  response.headers.delete("set-cookie");
  for (const line of [...set.filter((line) => !own.includes(line)), ...own]) response.headers.append("set-cookie", line);
  return response;
}
