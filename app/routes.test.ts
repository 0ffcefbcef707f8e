import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, it } from "vitest";
import { isOwnDocument } from "#app/lib/own-document.ts";
import routes from "#app/routes.ts";

/** Who opens a route, by the start of its path. The first match counts. */
const AREAS: [RegExp, roles: string][] = [
  // The page of patients and doctors; its loader sends doctors to their own.
  [/^\/patient\/(notifications$|reviews\/:id\/report$)/, "patient doctor"],
  [/^\/documents\//, "reviewer admin doctor"],
  [/^\/account\/|^\/confirm-identity$/, "doctor reviewer admin staff"],
  [/^\/(clinic|desk)(\/|$)/, "staff doctor reviewer"],
  [/^\/announcements\//, "patient doctor reviewer admin staff"],
  [/^\/patient(-dashboard$|\/)/, "patient"],
  [/^\/doctor(-dashboard$|-verif|\/)|^\/hospital-form$|^\/banking-information$/, "doctor"],
  [/^\/reviewer(\/|$)/, "reviewer"],
  [/^\/admin(\/|$)/, "admin"],
];
/** Routes without a guard, and why. */
const UNGUARDED: [why: string, path: RegExp][] = [
  [
    "public pages and files",
    /^\/$|^\/(choose-role|language|accessibility|offline|start|robots\.txt|manifest\.webmanifest|sitemap\.xml|docs\/api|\*)$/,
  ],
  ["public directory", /^\/(doctorspages|hospitalpages|details|hospital|h|d|embed|location|sitemaps|cards|photos)(\/|$)/],
  ["the code of a token or the key of a place opens them", /^\/(q\/:code|(tv|arrive|calendar)\/:key)$/],
  ["the code of a prescription, or the secret of a link, is its key", /^\/(rx\/:code|s\/:key(\/open)?)$/],
  ["public patient pages", /^\/patient\/(help|terms|contact-us|emergency-contact(\/offline)?)$/],
  ["login and logout", /^\/(dual-|forgot-password|logout$|(invitation|join)\/|confirm-email\/|doctor$|doctor\/login$)/],
  ["JSON for the login page, and the seconds that a session has left", /^\/(passkey-options|account\/session)$/],
  ["redirects by the status of the application", /^\/doctor\/registration-status$/],
  ["the command checks the owner", /^\/(favourites|files\/:id)$/],
  ["each call names its roles in the table of calls", /^\/api1?\//],
  ["the payment provider's signature is checked", /^\/(webhooks\/:provider|payments\/return\/:orderId)$/],
  ["the secret address of a browser at its push service finds its row", /^\/push\/browser$/],
  ["demo mode only", /^\/dev\//],
];

type Guarded = { middleware?: { roles?: readonly string[] }[] };
const modules = import.meta.glob<Guarded>("./routes/**/*.{ts,tsx}");
type Found = { path: string; files: string[] };
/** Returns each route with its files from the outermost frame to the page. */
function flatten(entries: RouteConfigEntry[], above = "", frames: string[] = []): Found[] {
  return entries.flatMap((entry) => {
    const path = entry.path === undefined ? above : `${above}/${entry.path}`;
    const files = [...frames, entry.file];
    const own = entry.index || entry.path !== undefined ? [{ path: path || "/", files }] : [];
    return [...own, ...flatten(entry.children ?? [], path, files)];
  });
}

it("every route is guarded for the roles of its area, or listed as unguarded", { timeout: 120_000 }, async () => {
  const found: string[] = [];
  const expected: string[] = [];
  const all = flatten(await routes);
  expect(all.length).toBeGreaterThan(120);
  for (const { path, files } of all) {
    const loaded = await Promise.all(files.map((file) => modules[`./${file}`]!()));
    const guards = loaded.flatMap(({ middleware = [] }) => middleware.flatMap(({ roles }) => (roles ? [roles] : [])));
    // The page's guard and its frame's both apply.
    const roles = guards.reduce<readonly string[]>((both, one) => both.filter((role) => one.includes(role)), guards[0] ?? []);
    found.push(`${path}: ${roles.join(" ")}`);
    const open = UNGUARDED.some(([, fits]) => fits.test(path));
    expected.push(`${path}: ${open ? "" : AREAS.find(([fits]) => fits.test(path))?.[1]}`);
  }
  expect(found).toEqual(expected);
  for (const [why, fits] of UNGUARDED)
    expect(
      all.some(({ path }) => fits.test(path)),
      why,
    ).toBe(true);
});

/** Without a page, and no link leads there: redirects, forms, and what scripts or other programs ask for. */
const NO_LINK =
  /^\/(details\/(:type\/)?:id|start|location\/cities|passkey-options|push\/browser|webhooks\/:provider|payments\/return\/:orderId|sitemap|doctor(\/login|\/registration-status|\/profile\/withdraw)?|account\/session|announcements\/:id\/dismiss|api1?\/\*|(patient|doctor)\/ai-chat\/ask)|\/draft$/;

it("links open files as documents, and pages of React by the router", async () => {
  const all = flatten(await routes);
  const wrong = all.filter(({ path, files }) => {
    const isPage = files.at(-1)!.endsWith(".tsx");
    return isOwnDocument(path) !== !isPage && !(NO_LINK.test(path) && !isPage);
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
  expect(isOwnDocument("/doctor/takings.csv?day=2026-11-28#top")).toBe(true);
});
