import { describe, expect, it } from "vitest";
import type { EndpointTable } from "#app/http/api/endpoint.ts";
import { rulesFinder } from "./find-rules.ts";
import { bodyLimit, deadlineOf } from "./gates.ts";

type Routes = Parameters<typeof rulesFinder>[0];
const route = (id: string, path: string | undefined, handle?: object, parentId: string | undefined = "root") => ({
  [id]: { id, path, parentId, module: { handle } },
});
const routes = {
  root: { id: "root", path: "", module: {} },
  splash: { id: "visitor:/", index: true, parentId: "root", module: { handle: { session: false } } },
  ...route("frame", undefined, { bar: false }),
  ...route("doctor:new-upload", "doctor/x-rays/:id", { uploadMb: 40, deadline: 60 }, "frame"),
  ...route("doctor:old", "doctor/x-rays/new", undefined, "frame"),
  ...route("doctor:settings", "doctor/settings", { polled: true }, "frame"),
  ...route("doctor:password", "password", {}, "doctor:settings"),
  ...route("login:invitation", "invitation/:token", { secret: "token" }),
  ...route("program:api", "api/*", { cookies: false }),
  ...route("visitor:rest", "*", {}),
} as unknown as Routes;
const endpoints = {
  book: { method: "POST", path: "/api/appointments/book", uploadMb: 64 },
  cancel: { method: "PUT", path: "/api/appointments/{id}", jsonMb: 15 },
} as unknown as EndpointTable;
const { rulesOf, loggedPath, routeAt } = rulesFinder(routes, endpoints);

describe("the rules of a request", () => {
  const multipart = { "content-type": "multipart/form-data; boundary=x" };
  const post = (url: string) => ({ method: "POST", url, headers: multipart });
  const MB = 1024 * 1024;

  it.each(["/doctor/x-rays/7", "/doctor/x-rays/7/", "/doctor/x-rays/7.data?_routes=x", "/Doctor/X-Rays/7?a=b", "//doctor//x-rays/7"])(
    "reads upload limit and deadline of a new page from its own handle: %s",
    (url) => {
      expect(bodyLimit(post(url), rulesOf(post(url)))).toBe(40 * MB);
      expect(deadlineOf(post(url), rulesOf(post(url)))).toBe(60_000);
      expect(deadlineOf({ ...post(url), method: "GET" }, rulesOf(post(url)))).toBe(10_000);
    },
  );
  it.each(["/doctor/x-rays/new", "/doctor/x-rays", "/doctor/x-rays/7/8", "/nowhere", "/doctor/x-rays/%zz"])(
    "leaves other pages at the limit of a form: %s",
    (url) => expect(bodyLimit(post(url), rulesOf(post(url)))).toBe(256 * 1024),
  );
  it("applies the rules of a parent to its pages", () => {
    expect(rulesOf(post("/doctor/settings/password"))).toMatchObject({ polled: true });
    expect(rulesOf(post("/"))).toMatchObject({ session: false });
    expect(rulesOf(post("/nowhere"))).toEqual({});
    const root = { id: "root", path: "", module: { handle: { polled: true } } };
    expect(rulesFinder({ ...routes, root } as unknown as Routes, endpoints).rulesOf(post("/nowhere"))).toEqual({ polled: true });
  });
  it("reads those of a call of the API from the table", () => {
    const limitOf = (method: string, url: string, type = multipart) => bodyLimit({ method, url, headers: type }, rulesOf({ method, url }));
    expect(limitOf("POST", "/api/appointments/book")).toBe(64 * MB);
    expect(limitOf("GET", "/api/appointments/book")).toBe(256 * 1024);
    expect(limitOf("PUT", "/api/appointments/7", { "content-type": "application/json" })).toBe(15 * MB);
    expect(limitOf("PUT", "/api/appointments/7")).toBe(256 * 1024);
    expect(rulesOf({ method: "GET", url: "/api/nothing/here" }).cookies).toBe(false);
  });
});

describe("the path in the log", () => {
  it.each([
    ["/choose-role?phone=9876543210", "/choose-role"],
    ["/invitation/abc-123?x=1", "/invitation/…"],
    ["/invitation/abc-123.data", "/invitation/….data"],
    ["/Invitation/abc-123/", "/Invitation/…/"],
    ["/%69nvitation/abc-123", "/%69nvitation/…"],
    ["/invitation/abc-123/more", "/invitation/…/…"],
    ["/invitation/abc%zz", "/invitation/…"],
    ["/invitation", "/invitation"],
    [`/invitation${"/a".repeat(300)}`, `/invitation${"/…".repeat(94)}/`],
    ["/doctor/settings/password?x=1", "/doctor/settings/password"],
    [`/${"a".repeat(300)}`, `/${"a".repeat(199)}`],
  ])("%s is logged as %s", (url, logged) => expect(loggedPath(url)).toBe(logged));
});

describe("the route at a path", () => {
  it.each([
    ["/doctor/x-rays/7?a=b", "doctor/x-rays/:id", "doctor"],
    ["/doctor/x-rays/7.data", "doctor/x-rays/:id", "doctor"],
    ["/doctor/settings/password", "doctor/settings/password", "doctor"],
    ["/", "/", "visitor"],
    ["/api/x/y", "api/*", "program"],
    ["/nowhere/at/all", "*", "visitor"],
  ])("%s has the pattern %s and the area %s", (url, pattern, area) => expect(routeAt(url)).toMatchObject({ pattern, area }));
  it("is remembered until 200 other paths were asked for", () => {
    const { routeAt } = rulesFinder(routes, endpoints);
    const first = routeAt("/doctor/settings");
    for (let i = 1; i < 200; i++) routeAt(`/doctor/x-rays/${i}`);
    expect(routeAt("/doctor/settings")).toBe(first);
    routeAt("/doctor/x-rays/200");
    expect(routeAt("/doctor/settings")).not.toBe(first);
    expect(routeAt("/doctor/settings")).toEqual(first);
  });
  it("without an area stops the start", () => {
    const lost = { root: routes.root, ...route("lost", "doctor/new-page") } as unknown as Routes;
    expect(() => rulesFinder(lost, endpoints)).toThrow("app/routes.ts: /doctor/new-page is in no area");
  });
  it("of a malformed path is none", () => {
    const { routeAt, loggedPath } = rulesFinder({} as Routes, endpoints);
    expect(routeAt("/x")).toBeUndefined();
    expect(loggedPath("/x/secret")).toBe("/x/secret");
  });
});
