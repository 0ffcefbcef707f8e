import { expect, it } from "vitest";
import { byteRange } from "./byte-range.ts";

it.each([
  ["bytes=0-9", { from: 0, to: 9 }],
  ["bytes=90-", { from: 90, to: 99 }],
  ["bytes=-10", { from: 90, to: 99 }],
  ["bytes=-1000", { from: 0, to: 99 }],
  ["bytes=50-1000", { from: 50, to: 99 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=9-0", null],
  ["bytes=0-1,5-6", null],
  ["bytes=-", null],
  ["lines=1-2", null],
  [null, null],
])("%s of 100", (header, range) => expect(byteRange(header, 100)).toEqual(range));
