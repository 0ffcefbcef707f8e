import { env } from "#app/runtime/env.server.ts";

/** Adds the prefix `__Host-` when the public URL is https. */
const cookieName = (name: string) => (env().appUrl.protocol === "https:" ? `__Host-${name}` : name);

/** Reads a cookie from a Cookie header. */
export function readCookie(header: string | null | undefined, name: string): string | null {
  if (!header) return null;
  const wanted = cookieName(name);
  for (const pair of header.split(";")) {
    const eq = pair.indexOf("=");
    if (eq > 0 && pair.slice(0, eq).trim() === wanted) {
      try {
        return decodeURIComponent(pair.slice(eq + 1).trim());
      } catch {
        return null;
      }
    }
  }
  return null;
}

/** Returns a Set-Cookie value: HttpOnly, SameSite=Lax, whole site. `maxAge` in seconds; 0 deletes it; default: a session cookie. */
export function writeCookie(name: string, value: string, maxAge?: number): string {
  const secure = env().appUrl.protocol === "https:" ? "; Secure" : "";
  return `${cookieName(name)}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax${secure}${maxAge === undefined ? "" : `; Max-Age=${maxAge}`}`;
}
