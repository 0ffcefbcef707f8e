import { expect, it } from "vitest";
import { withSection } from "./proof.ts";

const AT = new Date("2026-11-25T10:00:00Z");
const section = (command: string, value: string) => ({
  title: "A proof.",
  command,
  machine: "a machine",
  figures: [
    { what: "rate", value, target: "≥ 10", met: false },
    { what: "steps", value: "7", detail: true },
  ],
});
const [LONG, SHORT] = ["npm run prove -- rate", "npm run prove -- rate --short"];

it("adds and replaces sections in the order of their names, with missed targets", () => {
  const first = withSection("", "rate", section(SHORT, "1"), AT);
  const both = withSection(first, "faults", section("npm run prove -- faults", "2"), AT);
  expect([...both.matchAll(/^## (\w+)/gm)].map(([, name]) => name)).toEqual(["faults", "rate"]);
  const again = withSection(both, "rate", section(LONG, "3"), AT);
  expect(again).toContain("- ✗ Missed: rate **3** (≥ 10)");
  expect(again).not.toContain("rate **1**");
  expect(again).not.toContain("steps");
});

it("keeps the figures of a long run when a short one is measured", () => {
  const long = withSection("", "rate", section(LONG, "3"), AT);
  expect(withSection(long, "rate", section(SHORT, "4"), AT)).toBe(long);
  expect(withSection(long, "rate", section(`${LONG} --minutes 5`, "5"), AT)).toContain("rate **5** (≥ 10)");
});

it("writes the common beginning and target of figures once", () => {
  const figures = ["first", "second"].map((what) => ({ what: `restarted: ${what}`, value: "3 s", target: "< 5 s", met: true }));
  const text = withSection("", "faults", { ...section(LONG, "1"), figures }, AT);
  expect(text).toContain("- ✓ Reached: restarted: first **3 s**, second **3 s** (< 5 s)\n");
});

it("leaves out of a long run what its title says about the short form", () => {
  const title = "Kills 50 times (short form: 2). Short form: without a target.";
  expect(withSection("", "kills", { ...section(LONG, "1"), title }, AT)).toContain("\nKills 50 times. 2026-11-25 ·");
});
