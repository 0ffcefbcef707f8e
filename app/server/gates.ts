/**
 * Checks of every request before React Router: Host, CSRF (origin check), content type and size limits. Pure functions: they
 * return a refusal or null. React Router's own origin check covers page routes only, and its parsers have no limits.
 */
import type { IncomingHttpHeaders } from "node:http";
import { seconds } from "#app/lib/durations.ts";

export type Head = { method: string; url: string; headers: IncomingHttpHeaders };
export type Rules = {
  /** Public origins of this server: `https://nadi.example`. */
  origins: readonly string[];
  /** Number of proxies. Behind proxies Host may be internal; the last X-Forwarded-Host is the public one. */
  trustProxy: number;
  /** Origins whose pages may call /api (CORS). */
  apiOrigins?: readonly string[];
};
/** `reason` is for the log. */
export type Refused = { status: 400 | 403 | 405 | 413 | 414 | 415 | 421; reason: string };

const refuse = (status: Refused["status"], reason: string): Refused => ({ status, reason });

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const UNSAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);
export const isUnsafe = (method: string) => UNSAFE.has(method);

/** True for the JSON API. It ignores cookies, so it is not open to CSRF. */
export const isApi = (url: string) => /^\/api1?([/?]|$)/.test(url);

const KB = 1024;
const URL_LIMIT = 8 * KB;
const FORM_LIMIT = 256 * KB;
/** Upload limits: pages that accept files, and the bytes of one post. `.data` is React Router's data URL of the same page. */
const UPLOADS: readonly { path: RegExp; bytes: number }[] = [
  { path: /^\/patient\/appointments\/patient-detail(\.data)?$/, bytes: 64 * KB * KB },
  // Three documents and ten certificates at once; photos of a phone have 3 to 8 MB.
  { path: /^\/doctor-verification(\.data)?$/, bytes: 96 * KB * KB },
  // One photo of at most 10 MB. Larger ones are read to show the error next to the field.
  { path: /^\/(doctor|patient)\/profile\/edit(\.data)?$/, bytes: 64 * KB * KB },
  // The same in the API.
  { path: /^\/api\/appointments\/book$/, bytes: 64 * KB * KB },
  { path: /^\/api\/doctor\/verify-doctor$/, bytes: 96 * KB * KB },
  { path: /^\/api\/patient\/profile\/add$/, bytes: 64 * KB * KB },
  { path: /^\/api\/chat\/voice$/, bytes: 12 * KB * KB },
  // One file of at most 10 MB and, without JavaScript, one recording.
  { path: /^\/patient\/(ai-chat|chat)(\/ask)?(\.data)?$/, bytes: 24 * KB * KB },
];
/** A photo in JSON as base64 (specification 000 §7). */
const JSON_UPLOAD = { path: /^\/api\/doctor\/profile$/, bytes: 15 * KB * KB };

/** Deadline of a page, then 503. For an upload it starts after the last byte. */
const DEADLINE = seconds(10);
/** Without JavaScript and in the API the assistant does not stream, and the model has 20 s (docs/decisions/021). */
const ANSWERS = { path: /^\/(patient\/(ai-chat|chat)|doctor\/ai-chat)(\.data)?$|^\/api\/chat(\/voice|\/doctor)?$/, ms: seconds(30) };
/** Returns the deadline of this request in milliseconds. */
export const deadlineOf = (head: Head): number =>
  head.method === "POST" && ANSWERS.path.test(head.url.split("?", 1)[0] ?? "") ? ANSWERS.ms : DEADLINE;

const MEDIA = /^(application\/x-www-form-urlencoded|multipart\/form-data|application\/json)\s*(;|$)/;

/** Returns the upload limit of this request in bytes. */
export function bodyLimit(head: Head): number {
  const path = head.url.split("?", 1)[0] ?? "";
  const type = head.headers["content-type"];
  if (type?.startsWith("multipart/form-data")) return UPLOADS.find((u) => u.path.test(path))?.bytes ?? FORM_LIMIT;
  if (type?.startsWith("application/json") && JSON_UPLOAD.path.test(path)) return JSON_UPLOAD.bytes;
  return FORM_LIMIT;
}
export const hasBody = ({ headers }: Head) => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Returns our origin that the request is addressed to; null when its Host is unknown. */
export function originOf(head: Head, rules: Rules): string | null {
  const forwarded =
    rules.trustProxy > 0
      ? String(head.headers["x-forwarded-host"] ?? "")
          .split(",")
          .pop()
          ?.trim()
      : "";
  const host = (forwarded || head.headers.host || "").toLowerCase();
  if (!host) return null;
  // Browsers omit the default port; other clients may include it.
  return rules.origins.find((origin) => host === new URL(origin).host || host === `${new URL(origin).hostname}:${portOf(origin)}`) ?? null;
}
const portOf = (origin: string) => new URL(origin).port || (origin.startsWith("https:") ? "443" : "80");

/** Checks method, URL and Host of every request, also for files. */
export function checkAddress(head: Head, rules: Rules): Refused | null {
  if (!(METHODS as readonly string[]).includes(head.method)) return refuse(405, "method");
  if (head.url.length > URL_LIMIT) return refuse(414, "url too long");
  if (!head.url.startsWith("/")) return refuse(400, "not a path");
  if (!isWellFormed(head.url)) return refuse(400, "malformed url");
  if (!head.headers.host) return refuse(400, "no host");
  if (originOf(head, rules) === null) return refuse(421, "host is not ours");
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

/** CSRF check (Sec-Fetch-Site, Origin, then Referer), content type and size of a state-changing request. `hasSession`: it has a session cookie. */
export function checkUnsafe(head: Head, rules: Rules, hasSession: boolean): Refused | null {
  if (isUnsafe(head.method)) {
    const { origin } = head.headers;
    const site = head.headers["sec-fetch-site"];
    const api = isApi(head.url);
    const listed = api && origin !== undefined && (rules.apiOrigins ?? []).includes(origin);
    if (origin !== undefined && !listed && !rules.origins.includes(origin)) return refuse(403, "foreign origin");
    if (site !== undefined && site !== "same-origin" && site !== "none" && !listed) return refuse(403, "cross-site");
    // Text browsers and old phones send neither, but a Referer. A phone app sends none of them; the API uses its bearer token
    // only.
    if (origin === undefined && site === undefined && hasSession && !api && !isOwnReferer(head.headers.referer, rules))
      return refuse(403, "session without origin");
  }
  return checkBody(head);
}

/** True if the Referer is one of our pages. With our Referrer-Policy `same-origin` browsers send it only to us. */
function isOwnReferer(referer: string | undefined, { origins }: Rules): boolean {
  return referer !== undefined && URL.canParse(referer) && origins.includes(new URL(referer).origin);
}

/** Checks Content-Type and Content-Length. */
function checkBody(head: Head): Refused | null {
  if (!hasBody(head)) return null;
  const length = head.headers["content-length"];
  if (length !== undefined && Number(length) > bodyLimit(head)) return refuse(413, "declared too large");
  if (isUnsafe(head.method) && !MEDIA.test(head.headers["content-type"] ?? "")) return refuse(415, "content type");
  return null;
}

/** Returns the client's IP address: the last `trustProxy` entries of X-Forwarded-For are written by our proxies. */
export function clientAddress(remote: string | undefined, forwarded: string | string[] | undefined, trustProxy: number): string {
  const chain = [...String(forwarded ?? "").split(","), remote ?? ""].map((a) => a.trim()).filter(Boolean);
  const claimed = chain[Math.max(0, chain.length - 1 - trustProxy)] ?? "";
  const address = plainAddress(claimed) ?? plainAddress(remote ?? "");
  return address ?? "unknown";
}
function plainAddress(text: string): string | null {
  const bare = text.replace(/^\[([^\]]+)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  const v4 = bare.replace(/^::ffff:(?=\d+\.)/i, "");
  return /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i.test(v4) ? v4 : null;
}
/** True for loopback addresses. */
export const isLocal = (address: string | undefined) => address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address);

/** Returns CORS headers for allow-listed origins, none for others. */
export function corsHeaders(head: Head, rules: Rules): Record<string, string> {
  const { origin } = head.headers;
  if (!isApi(head.url) || !rules.apiOrigins?.length) return {};
  if (origin === undefined || !rules.apiOrigins.includes(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "ETag, Link, Retry-After, Idempotency-Replayed, X-Request-Id",
  };
}
/** Returns the headers of a CORS preflight response, or null when the call is not allowed. */
export function preflight(head: Head, rules: Rules): Record<string, string> | null {
  const headers = corsHeaders(head, rules);
  if (!headers["access-control-allow-origin"]) return null;
  return {
    ...headers,
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
    "access-control-max-age": "600",
  };
}
