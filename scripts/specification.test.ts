import { expect, it } from "vitest";
import { findFaults, findNotRun, readTables } from "./specification.ts";

const rows = readTables();

it("each line of the specification has a row, and each row a place and a proof that exist", () => {
  // A line that is hard to prove is work to do, not a row to delete.
  for (const [document, lines] of [
    ["000-", 320],
    ["001-", 500],
  ] as const)
    expect(rows.filter(({ id }) => id.startsWith(document)).length, document).toBeGreaterThan(lines);
  expect(findFaults(rows)).toEqual([]);
});

it("reports the errors of a row", () => {
  const row = { at: "here", id: "000-§1.1", texts: [], where: ["scripts/specification.ts"], tests: [], decisions: [], odd: [] };
  const test = { path: "scripts/specification.test.ts", title: "reports the errors" };
  expect(findFaults([{ ...row, tests: [test] }])).toEqual([]);
  expect(findFaults([row])).toEqual(["here 000-§1.1: no test and no decision"]);
  expect(findFaults([{ ...row, tests: [{ ...test, title: "finds nothing" }] }])[0]).toContain("has no test");
  expect(findFaults([{ ...row, tests: [{ ...test, path: "tests/none.test.ts" }] }])[0]).toContain("has no test");
  expect(findFaults([{ ...row, tests: [test], texts: ["said".repeat(2)] }])[0]).toContain("none of its tests contains");
  expect(findFaults([{ ...row, decisions: ["999"] }])).toEqual(["here 000-§1.1: there is no decision 999"]);
  expect(findFaults([{ ...row, tests: [test], where: ["app/none.ts"] }])).toEqual(["here 000-§1.1: app/none.ts does not exist"]);
  expect(findFaults([row, row].map((one) => ({ ...one, tests: [test] })))).toEqual(["here 000-§1.1: its id is taken"]);
});

it("counts a named test only when it passed in a report", () => {
  const rowOf = (title: string) => ({
    at: "here",
    id: "000-§1.1",
    texts: [],
    where: [],
    tests: [{ path: "scripts/specification.test.ts", title }],
    decisions: [],
    odd: [],
  });
  const name = import.meta.filename;
  const report = (status: string) => ({
    testResults: [{ name, assertionResults: [{ ancestorTitles: [], title: "reports the errors of a row", status }] }],
  });
  expect(findNotRun([rowOf("errors of a row")], [report("passed")])).toEqual([]);
  expect(findNotRun([rowOf("errors of a row")], [report("skipped")])).toHaveLength(1);
  expect(findNotRun([rowOf("each line of")], [report("passed")])).toHaveLength(1);
});
