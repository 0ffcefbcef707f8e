import { redirect, replace } from "react-router";
import { type Toast, toastCookie } from "./toast.server.ts";

/**
 * Returns a path of our site, or the fallback (open-redirect check). Refuses `//evil`, `javascript:`, `/\evil`, control
 * characters, encoded forms of them, and `/.//evil`, which becomes `//evil` when dots are resolved. React Router accepts them.
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

type RedirectOptions = { cookies?: string[]; fallback?: string; replaces?: boolean };
/**
 * Redirects to a path of our site with cookies. 303: the next request is a GET.
 * @param options.replaces replaces the page in the history. Otherwise React Router adds an entry each time the user goes back to the page, and Back
 *   never gets past it
 */
export function redirectTo(path: string, { cookies = [], fallback = "/", replaces = false }: RedirectOptions = {}): Response {
  const headers = new Headers();
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return (replaces ? replace : redirect)(safePath(path, fallback), { status: 303, headers });
}
/**
 * Redirects, and the next page shows `message`. Without JavaScript: as a banner. With JavaScript: as a banner for errors, warnings,
 * information and what has to be read (`stays`), otherwise as a toast, which can be missed.
 */
export function redirectWithToast(
  path: string,
  message: string,
  { type = "success", stays = type !== "success", cookies = [] }: { type?: Toast["type"]; stays?: boolean; cookies?: string[] } = {},
): Response {
  return redirectTo(path, { cookies: [...cookies, toastCookie({ type, message, ...(stays && { stays }) })] });
}

/**
 * Returns the previous page in this area, or the area's profile when unknown (specification 000 §2, 001 §2.15). Never `here`: a
 * refused form would link back to itself.
 */
export function cameFrom(request: Request, area: "patient" | "doctor", here: string): string {
  const referer = request.headers.get("referer") ?? "";
  const before = URL.canParse(referer) ? new URL(referer) : null;
  const path = before?.origin === new URL(request.url).origin ? before.pathname : "";
  const known = new RegExp(`^/${area}(-dashboard|/[\\w/-]+)$`).test(path) && path !== here;
  return known ? path : `/${area}/profile`;
}
