/** The sealed form that a login page carries in a hidden field (http/saved-form.server.ts). */
import { useLocation, useRouteLoaderData } from "react-router";

/** Name of the hidden field. */
export const SAVED_FORM = "kept_form";
/** The pages that carry it. */
export const LOGIN_PAGES: readonly string[] = ["/dual-patient", "/dual-doctor"];

const inBrowser = typeof document !== "undefined";
/** The value that came with the document. Later loader answers have none, because only a post carries it. */
let ofDocument: string | null | undefined;

/** The sealed form of this login page; null on every other page. */
export function useSavedForm(): string | null {
  const kept = useRouteLoaderData<{ kept?: string }>("root")?.kept ?? null;
  if (inBrowser && ofDocument === undefined) ofDocument = kept;
  return LOGIN_PAGES.includes(useLocation().pathname) ? (inBrowser ? (ofDocument ?? null) : kept) : null;
}
