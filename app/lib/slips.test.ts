import { expect, it } from "vitest";
import { isSlip } from "./slips.ts";

it.each([
  ["cardiolgist", "cardiologist"],
  ["kardiologist", "cardiologist"],
  ["cardiolgi", "cardiologist"],
  ["dentsit", "dentist"],
  ["sarma", "sharma"],
  ["kumr", "kumar"],
  ["lakshmmi", "lakshmi"],
  ["vijaywada", "vijayawada"],
])("%s matches %s", (typed, word) => expect(isSlip(typed, word)).toBe(true));
it.each([
  ["rao", "raju"],
  ["ent", "end"],
  ["dentist", "dermatologist"],
  ["kumar", "kumar"],
  ["reddy", "rehana"],
])("%s does not match %s", (typed, word) => expect(isSlip(typed, word)).toBe(false));
