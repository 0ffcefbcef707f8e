import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { formatTime } from "#app/lib/dates.ts";
import { addDaySchema, ChangeDaySchema, patternSchema } from "./availability.schema.ts";
import { lastBookableDate, SLOT_TIMES } from "./slots.ts";

const TODAY = "2026-11-21";
/** Returns the error of a field, or null for valid input. */
function problem(schema: z.ZodType, input: unknown, field: string): string | null {
  const parsed = schema.safeParse(input);
  if (parsed.success) return null;
  return parsed.error.issues.find((issue) => issue.path[0] === field)?.message ?? null;
}

it("has eighteen half hours, from 9:00 AM to 5:30 PM (spec 000 §9)", () => {
  expect(SLOT_TIMES).toHaveLength(18);
  expect([SLOT_TIMES[0], SLOT_TIMES[1], SLOT_TIMES[17]].map((time) => formatTime(time!))).toEqual(["9:00 AM", "9:30 AM", "5:30 PM"]);
});

describe("the date of a day (spec 000 §5)", () => {
  const dateOf = (date: unknown) => problem(addDaySchema(TODAY), { date, slots: ["09:00"] }, "date");
  it.each([
    [undefined, "Date is required"],
    ["", "Date is required"],
    ["21/11/2026", "Invalid date format"],
    ["2026-02-31", "Invalid date format"],
    ["2026-11-21T00:00", "Invalid date format"],
    ["2026-11-20", "Date cannot be in the past"],
    ["1999-01-01", "Date cannot be in the past"],
    ["2027-05-22", "Date cannot be more than 6 months in advance"],
    ["9999-12-31", "Date cannot be more than 6 months in advance"],
    ["2026-11-21", null],
    ["2027-05-21", null],
  ])("%j: %s", (date, sentence) => expect(dateOf(date)).toBe(sentence));
  it("six months from the end of August end in February", () => {
    expect(lastBookableDate("2026-08-31")).toBe("2027-02-28");
    expect(lastBookableDate("2027-08-31")).toBe("2028-02-29");
  });
});

describe("the slots of a day", () => {
  const add = addDaySchema(TODAY);
  it.each([[undefined], [[]]])("%j: needs at least one slot", (slots) =>
    expect(problem(add, { date: TODAY, slots }, "slots")).toBe("Please select at least one time slot"),
  );
  it.each(["8:30 AM", "6:00 PM", "09:15", "lunch", "", "25:00"])("refuses %j, which is not one of the eighteen", (slot) =>
    expect(problem(add, { date: TODAY, slots: [slot] }, "slots")).toBe("Choose from the listed times."),
  );
  it("accepts labels and times, in any order, and removes duplicates", () => {
    expect(add.parse({ date: TODAY, slots: ["5:30 PM", "09:00:00", "9:00 AM", "10:30"] }).slots).toEqual(["09:00", "10:30", "17:30"]);
  });
  it.each([
    [undefined, "Please select at least one time slot"],
    [[], "Please select a date (from route) and at least one slot."],
  ])("refuses a change to %j", (slots, sentence) => expect(problem(ChangeDaySchema, { slots }, "slots")).toBe(sentence));
});

describe("the weekly pattern", () => {
  const pattern = { intent: "apply", from: "2026-11-23", until: "2026-12-20", weekdays: ["1"], slots: ["09:00"] };
  const errorOf = (over: object, field: string) => problem(patternSchema(TODAY), { ...pattern, ...over }, field);
  it.each([
    [{}, "from", null],
    [{ from: "2026-11-20" }, "from", "Date cannot be in the past"],
    [{ until: "2027-05-22" }, "until", "Date cannot be more than 6 months in advance"],
    [{ until: "2026-11-22" }, "until", "The last day cannot be before the first."],
    [{ until: "" }, "until", "Date is required"],
    [{ weekdays: undefined }, "weekdays", "Choose at least one weekday."],
    [{ weekdays: [] }, "weekdays", "Choose at least one weekday."],
    [{ slots: [] }, "slots", "Please select at least one time slot"],
    [{ except: "2026-12-25 tomorrow" }, "except", "Enter leave days like this: 25/12/2026."],
    [{ except: "31/02/2027" }, "except", "Enter leave days like this: 25/12/2026."],
    [{ except: "2026-12-01, 2026-12-02\n2026-12-03" }, "except", null],
    [{ except: "1/12/2026, 02-12-2026 3.12.2026" }, "except", null],
  ])("%j: %s: %s", (over, field, sentence) => expect(errorOf(over, field)).toBe(sentence));
  it.each(["7", "-1", "x", "1.5"])("refuses the weekday %s", (day) =>
    expect(patternSchema(TODAY).safeParse({ ...pattern, weekdays: [day] }).success).toBe(false),
  );
});
