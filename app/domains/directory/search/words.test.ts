import { expect, it } from "vitest";
import { searchWords } from "./words.ts";

it("splits the input into words, without common words", () => {
  expect(searchWords("  A dentist near me, in GUNTUR! ")).toEqual(["dentist", "guntur"]);
  expect(searchWords("Dr. Asha_100% Rao")).toEqual(["asha", "100", "rao"]);
  expect(searchWords("dr")).toEqual(["dr"]);
  expect(searchWords("రమేష్ रमेश")).toEqual(["రమేష్", "रमेश"]);
});
it("removes the special characters of patterns, and limits the length", () => {
  expect(searchWords("%")).toEqual([]);
  expect(searchWords("_ \\ ' \" ; -- \0 |")).toEqual([]);
  expect(searchWords("x'; drop table doctors; --")).toEqual(["x", "drop", "table"]);
  expect(searchWords("a".repeat(10_000))).toEqual(["a".repeat(40)]);
  expect(searchWords("b c d e f g h i j").length).toBe(6);
});
