/** The encrypted form in a hidden field of the login page (http/saved-form.server.ts). */
import { href, useLocation, useRouteLoaderData } from "react-router";

/** Name of the hidden field. */
export const SAVED_FORM = "saved_form";
/** Pages with the hidden field. */
export const LOGIN_PAGES: readonly string[] = [href("/dual-patient"), href("/dual-doctor")];

const inBrowser = typeof document !== "undefined";
/** The value of the document. Later loader data has none, because only a post sends it. */
let ofDocument: string | null | undefined;

/** Returns the encrypted form on a login page; null on others. */
export function useSavedForm(): string | null {
  const saved = useRouteLoaderData<{ savedForm?: string }>("root")?.savedForm ?? null;
  if (inBrowser && ofDocument === undefined) ofDocument = saved;
  return LOGIN_PAGES.includes(useLocation().pathname) ? (inBrowser ? (ofDocument ?? null) : saved) : null;
}
