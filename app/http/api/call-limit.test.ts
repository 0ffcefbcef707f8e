import { expect, it } from "vitest";
import { API_CALLS, SUGGESTIONS } from "#app/domains/platform/limits/limits.ts";
import { countAddress } from "./call-limit.server.ts";

it("counts suggestions of a network apart from its calls of the API", () => {
  const [address, now] = ["203.0.113.77", new Date("2026-11-28T10:00:00Z")];
  const ask = () => countAddress(SUGGESTIONS, address, now, "suggestions");
  for (let i = 0; i < SUGGESTIONS.max; i++) ask();
  expect(ask).toThrow(expect.objectContaining({ code: "too-many", retryAfterSeconds: 600 }));
  expect(() => countAddress(API_CALLS.address, address, now)).not.toThrow();
});
