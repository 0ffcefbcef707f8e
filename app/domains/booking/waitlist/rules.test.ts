import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { WAITLIST_STATES } from "#app/db/schema/index.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { firstDayOf, MAX_CHAIN, MAX_ENTRIES, MAX_LAPSES, offerTimes, partOf, sendingTime, suits } from "./rules.ts";
import { WAITLIST_ACTIONS, type WaitlistAction } from "./waitlist.state.ts";

const at = (date: string, time: string) => instantInIndia(date, time);
const minutesOf = (times: ReturnType<typeof offerTimes>) => times && (times.endsAt.getTime() - times.sendAt.getTime()) / 60_000;

it.each([
  // Time now, the offered time, minutes of the offer, sent at.
  ["2026-11-23 10:00", "2026-11-24 10:30", 120, "2026-11-23 10:00"],
  ["2026-11-23 10:00", "2026-11-24 10:00", 20, "2026-11-23 10:00"],
  ["2026-11-23 10:00", "2026-11-23 11:00", 20, "2026-11-23 10:00"],
  ["2026-11-23 10:00", "2026-11-23 10:59", null, null],
  ["2026-11-23 20:59", "2026-11-26 10:00", 120, "2026-11-23 20:59"],
  ["2026-11-23 21:00", "2026-11-26 10:00", 120, "2026-11-24 07:00"],
  ["2026-11-23 23:59", "2026-11-24 09:00", 20, "2026-11-24 07:00"],
  ["2026-11-24 00:00", "2026-11-24 09:00", 20, "2026-11-24 07:00"],
  ["2026-11-24 06:59", "2026-11-24 07:30", null, null],
  ["2026-11-24 07:00", "2026-11-24 08:00", 20, "2026-11-24 07:00"],
])("at %s offers %s for %s minutes, sent at %s", (now, slot, length, sent) => {
  const [day, clock] = now.split(" ") as [string, string];
  const [date, time] = slot.split(" ") as [string, string];
  const times = offerTimes(at(day, clock), { date, time });
  expect(minutesOf(times)).toBe(length);
  expect(times?.sendAt ?? null).toEqual(sent && at(...(sent.split(" ") as [string, string])));
});

it("sends at once by day", () => {
  expect(sendingTime(at("2026-11-23", "12:00"))).toEqual(at("2026-11-23", "12:00"));
});

it.each([
  [undefined, "2026-11-22"],
  ["2026-11-21", "2026-11-22"],
  ["2026-11-22", "2026-11-22"],
  ["2026-12-01", "2026-12-01"],
  ["2027-05-22", "2027-05-22"],
  ["2027-05-23", "2026-11-22"],
])("a wait for %s, asked on 22 November 2026, begins on %s", (asked, first) => {
  expect(firstDayOf(asked, "2026-11-22")).toBe(first);
});

const slot = { date: "2026-11-25", time: "10:00", practiceId: "a", chain: 0 };
const wish = { practiceId: null, fromDate: "2026-11-24", untilDate: "2026-11-26", parts: [], visit: null };
const visit = { date: "2026-11-26", time: "09:00:00", practiceId: "a" };
it.each([
  [true, {}, {}],
  [false, { fromDate: "2026-11-26" }, {}],
  [false, { untilDate: "2026-11-24" }, {}],
  [true, { fromDate: "2026-11-25", untilDate: "2026-11-25" }, {}],
  [true, { parts: ["morning" as const] }, {}],
  [false, { parts: ["evening" as const, "afternoon" as const] }, {}],
  [true, { practiceId: "a" }, {}],
  [false, { practiceId: "b" }, {}],
  [true, { visit }, {}],
  [false, { visit: { ...visit, practiceId: "b" } }, {}],
  [false, { visit: { ...visit, date: "2026-11-25", time: "10:00:00" } }, {}],
  [true, { visit: { ...visit, date: "2026-11-25", time: "10:30" } }, {}],
  [true, { visit }, { chain: MAX_CHAIN - 1 }],
  [false, { visit }, { chain: MAX_CHAIN }],
  [true, {}, { chain: MAX_CHAIN }],
])("returns %s for a wish with %j and a time with %j", (expected, over, of) => {
  expect(suits({ ...wish, ...over }, { ...slot, ...of })).toBe(expected);
});

it.each([
  ["11:59", "morning"],
  ["12:00", "afternoon"],
  ["16:59", "afternoon"],
  ["17:00", "evening"],
] as const)("counts %s as %s", (time, part) => {
  expect(partOf(time)).toBe(part);
});

it("allows exactly the actions of the state table, for every state and actor", () => {
  const allows = (action: WaitlistAction, state: string, by: string) =>
    (WAITLIST_ACTIONS[action].from as readonly string[]).includes(state) && (WAITLIST_ACTIONS[action].by as readonly string[]).includes(by);
  const allowed = (Object.keys(WAITLIST_ACTIONS) as WaitlistAction[]).flatMap((action) =>
    WAITLIST_STATES.flatMap((state) =>
      (["patient", "system"] as const).filter((by) => allows(action, state, by)).map((by) => `${by} ${action} ${state}`),
    ),
  );
  expect(allowed).toEqual([
    "system offer waiting",
    "patient take offered",
    "patient pass offered",
    "system lapse offered",
    "system wait-again passed",
    "system wait-again lapsed",
    "system withdraw-offer offered",
    "patient end waiting",
    "system end waiting",
    "patient end offered",
    "system end offered",
    "patient end lapsed",
    "system end lapsed",
  ]);
});

it("publishes the numbers of the rules", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/waitlist.md"), "utf8");
  for (const text of [
    `${MAX_CHAIN} moves`,
    `${MAX_LAPSES} offers`,
    `${MAX_ENTRIES} entries`,
    "2 hours",
    "20 minutes",
    "21:00",
    "07:00",
    "1 hour",
  ])
    expect(page).toContain(text);
});
