import { expect, it } from "vitest";
import { negotiate } from "./send.ts";

it.each([
  ["br, gzip", "br", "gzip"],
  ["gzip;q=1, br;q=0.5", "gzip", "gzip"],
  ["*;q=1, br;q=0", "gzip", "gzip"],
  ["deflate, gzip;q=1.0, *;q=0.5", "gzip", "gzip"],
  ["GZIP", "gzip", "gzip"],
  ["*", "br", "gzip"],
  ["br ; q=0.001", "br", "br"],
  ["identity", null, null],
  ["gzip;q=0", null, null],
  ["gzip;q=abc, br", "br", "br"],
  ["gzip;q=abc", null, null],
  ["", null, null],
  [undefined, null, null],
] as const)("Accept-Encoding %s", (header, forCache, forUser) => {
  expect(negotiate(header, "br")).toBe(forCache);
  expect(negotiate(header, "gzip")).toBe(forUser);
});
