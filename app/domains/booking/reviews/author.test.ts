import { expect, it } from "vitest";
import { authorOf } from "./author.ts";

it.each([
  ["Lakshmi Prasanna Devi", "Lakshmi P."],
  ["Lakshmi", "Lakshmi"],
  ["  Shaik   Rehana ", "Shaik R."],
  ["K. V. Ramana", "Ramana K."],
  ["Smt. Annapurna Gadde", "Annapurna G."],
  ["Dr Rao", "Rao"],
  ["లక్ష్మి ప్రసన్న", "లక్ష్మి ప్ర."],
  ["lakshmi prasanna", "lakshmi P."],
  ["A".repeat(200), "A".repeat(24)],
  ["K.", null],
  ["...", null],
  ["", null],
  [null, null],
])("%s signs as %s", (name, author) => expect(authorOf(name)).toBe(author));
