import { expect, it } from "vitest";
import { fromStart, listPath, readListState, stepId } from "./list-state.ts";

const SORTS = ["default", "distance"] as const;
const read = (query: string) => readListState(new URLSearchParams(query), SORTS);

it("reads what it writes", () => {
  for (const query of ["", "?q=a+b", "?q=x&specialty=Dentist&sort=distance-reversed&from=64&show=24", "?sort=default-reversed"]) {
    const params = new URLSearchParams(query);
    expect(listPath("/list", read(query), { specialty: params.get("specialty") })).toBe(`/list${query}`);
  }
});
it("accepts any input", () => {
  expect(read("sort=constructor&from=-5&show=abc")).toEqual({ text: "", sort: "default", reversed: false, from: 0, show: 8 });
  expect(read("from=1e99&show=1e99&sort=-reversed")).toEqual({ text: "", sort: "default", reversed: true, from: 9984, show: 64 });
  expect(read(`q=%00${"x".repeat(10_000)}`).text).toBe("x".repeat(100));
  expect(read("from=75&show=30")).toMatchObject({ from: 64, show: 24 });
});
it("a change returns to the first page", () => {
  expect(listPath("/list", fromStart(read("q=a&from=64&show=40")))).toBe("/list?q=a");
  expect([0, 1, 8, 16].map(stepId)).toEqual([undefined, undefined, "n9", "n17"]);
});
