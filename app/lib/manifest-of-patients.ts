/**
 * Two manifests of routes for browsers: pages of patients and visitors load one without the routes of staff, half the bytes.
 * A link from there to a page of staff opens a document (app/ui/open-document.ts).
 */

type Entry = { id: string; parentId?: string | undefined };
type Manifest<Route extends Entry> = { routes: Record<string, Route | undefined>; url: string };

const STAFF =
  /^routes\/((doctor|reviewer|admin|account|onboarding|dev|api|clinic|desk)\/|auth\/(dual-doctor|doctor-verify|forgot-password|reset-password|passkey|registration)|public\/invitation)|^api1?$/;

function isOfStaff<Route extends Entry>(routes: Manifest<Route>["routes"], id: string | undefined): boolean {
  for (let at = id; at !== undefined; at = routes[at]?.parentId) if (STAFF.test(at)) return true;
  return false;
}

/** Returns whether the page of these matched routes loads the manifest of patients. */
export const isPatientPage = (matched: string[]): boolean => matched.length > 1 && !matched.some((id) => STAFF.test(id));

/** React Router's name has a hash of the whole manifest, so a part of it can have the same one. */
export const urlOfPatients = (url: string): string => url.replace(/\.js$/, ".patients.js");

/** Returns the manifest without the routes of staff. @internal Used by vite/patient-manifest.ts. */
export function manifestOfPatients<Route extends Entry, Whole extends Manifest<Route>>(whole: Whole): Whole {
  const routes = Object.fromEntries(Object.entries(whole.routes).filter(([id]) => !isOfStaff(whole.routes, id)));
  return { ...whole, routes, url: urlOfPatients(whole.url) };
}
