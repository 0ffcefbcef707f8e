import { expect, it } from "vitest";
import { fitting } from "./suggest.server.ts";
import type { Suggestion } from "./suggestion.ts";

it("leaves out the last suggestions of an answer above 2 KB, and never its danger", () => {
  const long = (name: string): Suggestion => ({ kind: "doctor", name, about: "జ".repeat(80), to: "/doctorspages/Cards-data?q=జ్వరం" });
  const found = ["one", "two", "three", "four", "five", "six", "seven"].map(long);
  const danger = { hospital: null };
  const answer = fitting({ found, danger });
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(2048);
  expect(answer).toEqual({ found: found.slice(0, answer.found.length), danger });
  expect(answer.found.length).toBeGreaterThan(3);
  expect(fitting({ found: found.slice(0, 2) })).toEqual({ found: found.slice(0, 2) });
});
