import { expect, it } from "vitest";
import { groupByDay } from "./by-day.ts";

const at = (createdAt: string, read: boolean) => ({ createdAt: new Date(createdAt), read });

it("groups by day in India, newest day first, unread before read", () => {
  const rows = [
    at("2026-03-10T06:00:00Z", true),
    at("2026-03-10T05:00:00Z", false),
    // 00:30 on 10 March in India.
    at("2026-03-09T19:00:00Z", false),
    at("2026-03-09T18:00:00Z", true),
    at("2026-03-02T06:00:00Z", true),
  ];
  const groups = groupByDay(rows, new Date("2026-03-10T07:00:00Z"));
  expect(groups.map(({ day, word }) => [day, word])).toEqual([
    ["2026-03-10", "Today"],
    ["2026-03-09", "Yesterday"],
    ["2026-03-02", "Monday, 2 Mar 2026"],
  ]);
  expect(groups[0]!.rows).toEqual([rows[1], rows[2], rows[0]]);
});
