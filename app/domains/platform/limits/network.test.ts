import { describe, expect, it } from "vitest";
import { networksOf, sameNetwork } from "./network.ts";

describe("networksOf", () => {
  it.each([
    ["203.0.113.7", ["203.0.113.7"]],
    ["::ffff:203.0.113.7", ["203.0.113.7"]],
    ["::FFFF:cb00:7107", ["203.0.113.7"]],
    ["0:0:0:0:0:ffff:cb00:7107", ["203.0.113.7"]],
    ["64:ff9b::203.0.113.7", ["203.0.113.7"]],
    ["2001:db8:1:2:3:4:5:6", ["2001:db8:1:2::/64", "2001:db8:1::/48"]],
    ["2001:0DB8:0001:0002::", ["2001:db8:1:2::/64", "2001:db8:1::/48"]],
    ["2001:db8::1", ["2001:db8:0:0::/64", "2001:db8:0::/48"]],
    ["::1", ["0:0:0:0::/64", "0:0:0::/48"]],
    ["unknown", ["unknown"]],
  ])("counts %s as %j", (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });
});

it("sameNetwork accepts a changed privacy address of one phone, and refuses its neighbour", () => {
  expect(sameNetwork("2001:db8:1:2::a", "2001:db8:1:2:ffff::b")).toBe(true);
  expect(sameNetwork("2001:db8:1:2::a", "2001:db8:1:3::a")).toBe(false);
  expect(sameNetwork("203.0.113.7", "::ffff:203.0.113.7")).toBe(true);
  expect(sameNetwork("203.0.113.7", "203.0.113.8")).toBe(false);
  expect(sameNetwork(null, null)).toBe(false);
});
