import { expect, it } from "vitest";
import { scriptsOf } from "./preload-scripts.ts";

const routes = {
  root: { path: "", module: "/root.js", imports: ["/ui.js"] },
  frame: { parentId: "root", module: "/frame.js", imports: ["/ui.js", "/live.js"] },
  home: { parentId: "frame", path: "patient/appointments", module: "/home.js" },
  one: { parentId: "home", path: ":id", module: "/one.js", imports: ["/calendar.js"] },
};

it("names the scripts of a page with those of its frames, once each", () => {
  expect(scriptsOf({ routes }, "patient/appointments/:id").sort()).toEqual(
    ["/calendar.js", "/frame.js", "/home.js", "/live.js", "/one.js", "/root.js", "/ui.js"].sort(),
  );
  expect(scriptsOf({ routes }, "nowhere")).toEqual([]);
});
