/**
 * Checks of every request before React Router: Host, CSRF (csrf.ts), content type and size limits. Pure functions: they return a
 * refusal or null. React Router's own origin check covers page routes only, and its parsers have no limits.
 */
import { type Head, hasBody, isUnsafe, originOf, type Site } from "#app/http/request-head.ts";
import { seconds } from "#app/lib/durations.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { crossSite } from "./csrf.ts";

/** `reason` is for the log. */
export type Refused = { status: 400 | 403 | 405 | 413 | 414 | 415 | 421; reason: string };

const refuse = (status: Refused["status"], reason: string): Refused => ({ status, reason });

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const KB = 1024;
const MB = KB * KB;
const URL_LIMIT = 8 * KB;
const FORM_LIMIT = 256 * KB;

const MEDIA = /^(application\/x-www-form-urlencoded|multipart\/form-data|application\/json)\s*(;|$)/;
/** A page of another site can post plain text, so only a route with a proof of its own takes it. */
const SIGNED_MEDIA = /^(application\/x-www-form-urlencoded|multipart\/form-data|application\/json|text\/plain)\s*(;|$)/;

/** Returns the upload limit of this request in bytes: that of its route, or that of a form. */
export function bodyLimit(head: Head, { uploadMb, jsonMb }: RouteRules): number {
  const type = head.headers["content-type"] ?? "";
  const mb = type.startsWith("multipart/form-data") ? uploadMb : type.startsWith("application/json") ? jsonMb : undefined;
  return mb === undefined ? FORM_LIMIT : mb * MB;
}

/** Returns the deadline of this request in milliseconds, then 503. For an upload it starts after the last byte. */
export const deadlineOf = (head: Head, { deadline }: RouteRules): number => seconds(head.method === "POST" ? (deadline ?? 10) : 10);

/** Refuses a second Host, of which node:http drops all but the first and a proxy may use the last. `rawHeaders`: names and values in turns. */
export function checkHosts(rawHeaders: readonly string[]): Refused | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (/^host$/i.test(rawHeaders[i] as string)) hosts += 1;
  return hosts > 1 ? refuse(400, "two hosts") : null;
}

/** Checks method, URL and Host of every request, also for files. */
export function checkAddress(head: Head, site: Site): Refused | null {
  if (!(METHODS as readonly string[]).includes(head.method)) return refuse(405, "method");
  if (head.url.length > URL_LIMIT) return refuse(414, "url too long");
  if (!head.url.startsWith("/")) return refuse(400, "not a path");
  if (!isWellFormed(head.url)) return refuse(400, "malformed url");
  if (!head.headers.host) return refuse(400, "no host");
  if (originOf(head, site) === null) return refuse(421, "host is not ours");
  return null;
}

/** True when escapes are complete, the path is UTF-8, and there is no NUL, for which PostgreSQL throws. */
function isWellFormed(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: looks for control characters
  if (/%(?![0-9a-f]{2})|%00|[\u0000-\u0020\u007f\\]/i.test(url)) return false;
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/** CSRF check, content type and size of a state-changing request. `hasSession`: it has a session cookie. */
export function checkUnsafe(head: Head, site: Site, hasSession: boolean, rules: RouteRules): Refused | null {
  if (rules.signed && !isOrigin(head.headers.origin)) return refuse(400, "malformed origin");
  const reason = rules.signed ? null : crossSite(head, site, hasSession);
  return reason ? refuse(403, reason) : checkBody(head, rules);
}

/** True for what a browser sends as Origin: none, `null` (from a page with a strict Referrer-Policy, or a sandbox), or scheme, host and port. */
const isOrigin = (origin: string | undefined) =>
  origin === undefined || origin === "null" || (URL.canParse(origin) && new URL(origin).origin === origin);

/** Checks Content-Type and Content-Length. */
function checkBody(head: Head, rules: RouteRules): Refused | null {
  if (!hasBody(head)) return null;
  const length = head.headers["content-length"];
  if (length !== undefined && Number(length) > bodyLimit(head, rules)) return refuse(413, "declared too large");
  const media = rules.signed ? SIGNED_MEDIA : MEDIA;
  if (isUnsafe(head.method) && !media.test(head.headers["content-type"] ?? "")) return refuse(415, "content type");
  return null;
}
