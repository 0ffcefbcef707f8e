import { expect, it } from "vitest";
import { manifestPart, manifestPartOf } from "./manifest-parts.ts";

const IDS = ["root", "routes/public/help", "routes/patient/frame", "routes/doctor/frame", "routes/clinic/frame", "routes/admin/frame"];
const page = (frame: string) => manifestPartOf(["root", frame, `${frame}-page`]);

it("a page loads the manifest of its readers", () => {
  expect(page("routes/patient/frame")).toBe("patients");
  expect(page("routes/public/help")).toBe("patients");
  expect(page("routes/doctor/frame")).toBe("doctors");
  expect(page("routes/desk/frame")).toBe("doctors");
  expect(page("routes/admin/frame")).toBe("office");
  expect(page("routes/reviewer/frame")).toBe("office");
  expect(page("routes/dev/frame")).toBeNull();
});

it.each([
  ["patients", ["root", "routes/public/help", "routes/patient/frame"]],
  ["doctors", ["root", "routes/public/help", "routes/doctor/frame", "routes/clinic/frame"]],
  ["office", ["root", "routes/public/help", "routes/admin/frame"]],
] as const)("the manifest of %s lacks what its readers never see", (part, ids) => {
  const all = [...IDS, ...IDS.map((id) => `${id}-page`)];
  const routes = Object.fromEntries(all.map((id) => [id, { id, parentId: id.endsWith("-page") ? id.slice(0, -5) : undefined }]));
  const { routes: kept, url } = manifestPart({ routes, url: "/assets/manifest-1.js" }, part);
  expect(Object.keys(kept).filter((id) => !id.endsWith("-page"))).toEqual(ids);
  for (const id of ids) expect(kept).toHaveProperty([`${id}-page`]);
  expect(url).toBe(`/assets/manifest-1.${part}.js`);
});
