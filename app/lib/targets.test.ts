import { globSync, readFileSync } from "node:fs";
import { matchRoutes, type RouteObject } from "react-router";
import { expect, it } from "vitest";
import routes from "#app/routes.ts";
import { PAGES, pathOf, type Target } from "./targets.ts";

const tree = await routes;

it.each(PAGES)("the page %s is a route", (page) => {
  const path = pathOf({ page, id: "1" } as Target).replace(/\?.*/, "");
  expect(matchRoutes(tree as RouteObject[], path)?.at(-1)?.route.path).not.toBe("*");
  expect(matchRoutes(tree as RouteObject[], path)).not.toBeNull();
});

it("no domain contains the path of a page", () => {
  const names = ["patient", "doctor", "doctorspages", "hospitalpages", "admin", "reviewer", "account", "invitation", "forgot-password"];
  const path = new RegExp(`["\`]/(${names.join("|")})([/?"\`-])`);
  const files = globSync("app/domains/**/*.ts").filter((name) => !name.endsWith(".test.ts") && !name.includes("/components/"));
  const found = files.flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.filter((line) => path.test(line)).map((line) => `${file}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});
