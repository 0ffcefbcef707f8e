/**
 * Manifests of routes for browsers: a page loads one without the routes that its readers never see. That of patients and visitors
 * lacks the pages of staff, that of doctors and places those of patients, reviewers and administrators, that of reviewers and
 * administrators those of patients, doctors and places. A link to a missing page opens a document (app/ui/open-document.ts).
 */

type Entry = { id: string; parentId?: string | undefined };
type Manifest<Route extends Entry> = { routes: Record<string, Route | undefined>; url: string };

const NOT_OF_DOCTORS = /^routes\/(patient|reviewer|admin|dev|api)\/|^patient-|^api1?$/;
const NOT_OF_OFFICE = /^routes\/(patient|doctor|clinic|desk|onboarding|dev|api)\/|^patient-|^api1?$/;
const STAFF =
  /^routes\/((doctor|reviewer|admin|account|onboarding|dev|api|clinic|desk)\/|auth\/(dual-doctor|doctor-verify|forgot-password|reset-password|passkey|registration)|public\/invitation)|^api1?$/;

/** The routes that each part lacks. The first part with all routes of a page is the one it loads. */
const LACKING = { patients: STAFF, doctors: NOT_OF_DOCTORS, office: NOT_OF_OFFICE } as const;
export type ManifestPart = keyof typeof LACKING;
export const MANIFEST_PARTS = Object.keys(LACKING) as ManifestPart[];

function lacks<Route extends Entry>(part: ManifestPart, routes: Manifest<Route>["routes"], id: string): boolean {
  for (let at: string | undefined = id; at !== undefined; at = routes[at]?.parentId) if (LACKING[part].test(at)) return true;
  return false;
}

/** Returns the manifest that the page of these matched routes loads. Null: the whole one. */
export const manifestPartOf = (matched: string[]): ManifestPart | null =>
  (matched.length > 1 && MANIFEST_PARTS.find((part) => !matched.some((id) => LACKING[part].test(id)))) || null;

/** React Router's name has a hash of the whole manifest, so a part of it can have the same one. */
export const urlOfPart = (url: string, part: ManifestPart): string => url.replace(/\.js$/, `.${part}.js`);

/** Returns a part of the manifest. @internal Used by vite/manifest-parts.ts. */
export function manifestPart<Route extends Entry, Whole extends Manifest<Route>>(whole: Whole, part: ManifestPart): Whole {
  const routes = Object.fromEntries(Object.entries(whole.routes).filter(([id]) => !lacks(part, whole.routes, id)));
  return { ...whole, routes, url: urlOfPart(whole.url, part) };
}
