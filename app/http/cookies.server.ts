import { parseCookie, serializeCookie } from "cookie-es";
import { env } from "#app/runtime/env.server.ts";

const isSecure = () => env().appUrl.protocol === "https:";
/** Adds the prefix `__Host-` when the public URL is https. */
const cookieName = (name: string) => (isSecure() ? `__Host-${name}` : name);

/** Reads a cookie from a Cookie header; null also when its escapes are malformed. */
export function readCookie(header: string | null | undefined, name: string): string | null {
  if (!header) return null;
  const wanted = cookieName(name);
  return parseCookie(header, { filter: (key) => key === wanted, decode })[wanted] ?? null;
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Returns a Set-Cookie value: HttpOnly, SameSite=Lax, whole site. `maxAge` in seconds; 0 deletes it; default: a session cookie. */
export const writeCookie = (name: string, value: string, maxAge?: number): string =>
  serializeCookie(cookieName(name), value, { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(), maxAge });
