import { randomToken } from "#app/lib/ids.server.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/**
 * A message for the next page, in a cookie of one minute. Never secret. `stays`: a banner on the page also with JavaScript. `id`:
 * two loads that run side by side can both read the cookie, and the page shows the toast once.
 */
export type Toast = { type: "success" | "error" | "info" | "warning"; message: string; stays?: boolean; id?: string };
const NAME = "toast";

export const toastCookie = (toast: Toast) => writeCookie(NAME, JSON.stringify({ ...toast, id: randomToken().slice(0, 8) }), 60);
export const clearToastCookie = () => writeCookie(NAME, "", 0);
/**
 * Stores a toast that a client-side load has read for two more seconds: React Router can drop that load for a newer one, which then
 * brings the toast. The page knows it by its `id`.
 */
export const shortenToastCookie = (toast: Toast) => writeCookie(NAME, JSON.stringify(toast), 2);
export function readToast(cookieHeader: string | null): Toast | null {
  const raw = readCookie(cookieHeader, NAME);
  if (!raw || raw.length > 1000) return null;
  try {
    const t = JSON.parse(raw) as Toast;
    return ["success", "error", "info", "warning"].includes(t.type) && typeof t.message === "string"
      ? {
          type: t.type,
          message: t.message,
          ...(t.stays === true && { stays: true }),
          ...(typeof t.id === "string" && { id: t.id.slice(0, 8) }),
        }
      : null;
  } catch {
    return null;
  }
}
