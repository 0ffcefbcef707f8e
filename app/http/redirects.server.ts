import { redirect } from "react-router";
import { type Toast, toastCookie } from "./toast.server.ts";

/**
 * A path of our own site, or the fallback. React Router passes `//evil` and `javascript:` through,
 * and so do `/\evil`, control characters and encoded forms of them; `/.//evil` becomes `//evil` where dots are resolved.
 */
export function safePath(target: string | null | undefined, fallback: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!target || !/^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(target)) return fallback;
  try {
    const url = new URL(target, "http://own.invalid");
    return url.origin === "http://own.invalid" && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : fallback;
  } catch {
    return fallback;
  }
}

/** Redirect to a path of our own, with cookies. 303: the next request is a GET. */
export function redirectTo(path: string, init: { cookies?: string[]; fallback?: string } = {}): Response {
  const headers = new Headers();
  for (const cookie of init.cookies ?? []) headers.append("Set-Cookie", cookie);
  return redirect(safePath(path, init.fallback ?? "/"), { status: 303, headers });
}
/** The same, and the next page says `message`: a toast with JavaScript, a status line without. */
export function redirectWithToast(path: string, message: string, options: { type?: Toast["type"]; cookies?: string[] } = {}): Response {
  return redirectTo(path, { cookies: [...(options.cookies ?? []), toastCookie({ type: options.type ?? "success", message })] });
}

/**
 * The page of this area somebody came from, for a way back by one step; the area's profile where it is not known
 * (spec 000 §2, 001 §2.15). Not `here` itself: a refused form would lead back to the form.
 */
export function cameFrom(request: Request, area: "patient" | "doctor", here: string): string {
  const referer = request.headers.get("referer") ?? "";
  const before = URL.canParse(referer) ? new URL(referer) : null;
  const path = before?.origin === new URL(request.url).origin ? before.pathname : "";
  const known = new RegExp(`^/${area}(-dashboard|/[\\w/-]+)$`).test(path) && path !== here;
  return known ? path : `/${area}/profile`;
}
