import { expect, it } from "vitest";
import { AREAS, type AreaName } from "#app/areas.ts";
import { isOwnDocument } from "#app/lib/own-document.ts";
import { ROUTES } from "../tests/setup/routes.ts";

it("every route is in an area, and every area has routes", () => {
  expect(ROUTES.length).toBeGreaterThan(280);
  expect(ROUTES.filter(({ area }) => !area).map(({ pattern }) => pattern)).toEqual([]);
  expect(Object.keys(AREAS).filter((name) => !ROUTES.some(({ area }) => area === name))).toEqual([]);
  expect(new Set(ROUTES.map(({ pattern }) => pattern)).size).toBe(ROUTES.length);
});

/** Pages whose area is not the first part of their path. A mistake in app/routes.ts would open a page to others. */
const ELSEWHERE: Record<string, AreaName> = {
  "/account/session": "login",
  "/doctor": "login",
  "/doctor/login": "login",
  "/doctor/registration-status": "login",
  "/patient/contact-us": "visitor",
  "/patient/emergency-contact": "visitor",
  "/patient/emergency-contact/offline": "visitor",
  "/patient/help": "visitor",
  "/patient/notifications": "patientOrDoctor",
  "/patient/reviews/:id/report": "patientOrDoctor",
  "/patient/terms": "visitor",
};
it("pages below /patient, /doctor, /clinic, /desk, /reviewer, /admin and /account are in these areas", () => {
  const found = ROUTES.flatMap(({ pattern, area }) => {
    const [, start] = /^\/(patient|doctor|clinic|desk|reviewer|admin|account)(?:-dashboard$|\/|$)/.exec(pattern) ?? [];
    return start && start !== area ? [[pattern, area]] : [];
  });
  expect(Object.fromEntries(found)).toEqual(ELSEWHERE);
});

/** Without a page, and no link leads there: redirects, forms, and what scripts or other programs ask for. */
const NO_LINK =
  /^\/(details\/(:type\/)?:id|start|location\/cities|find-a-doctor\/suggestions|passkey-options|push\/browser|webhooks\/(message\/)?:provider|payments\/return\/:orderId|sitemap|doctor(\/login|\/registration-status|\/profile\/withdraw)?|account\/session|announcements\/:id\/dismiss|api1?\/\*|(patient|doctor)\/ai-chat\/ask)|\/draft$/;

it("links open files as documents, and pages of React by the router", async () => {
  const wrong = ROUTES.filter(({ pattern: path, files }) => {
    const isPage = files.at(-1)!.endsWith(".tsx");
    return isOwnDocument(path) !== !isPage && !(NO_LINK.test(path) && !isPage);
  });
  expect(wrong.map(({ pattern }) => pattern)).toEqual([]);
  expect(isOwnDocument("/doctor/takings.csv?day=2026-11-28#top")).toBe(true);
});
