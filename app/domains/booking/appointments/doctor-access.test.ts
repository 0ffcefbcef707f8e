import { expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import { APPOINTMENT_STATUSES } from "#app/lib/vocabulary.ts";
import { areDocumentsOpen, isPhotoOpen } from "./doctor-access.ts";

// The same rules in SQL: app/domains/privacy/file-access/doctor-access.db.test.ts.

it("the doctor opens documents of every visit that is not cancelled", () => {
  expect(APPOINTMENT_STATUSES.filter(areDocumentsOpen)).toEqual(APPOINTMENT_STATUSES.filter((status) => status !== "cancelled"));
});

it("the doctor opens the photo from the acceptance until 30 days after the visit, and never that of a caller", () => {
  const date = "2026-11-01";
  const open = (now: Date, forCaller = false) => APPOINTMENT_STATUSES.filter((status) => isPhotoOpen(now, { status, date, forCaller }));
  const lastMinute = instantInIndia("2026-12-01", "23:59");
  for (const now of [instantInIndia("2026-10-01", "00:00"), lastMinute]) {
    expect(open(now)).toEqual(["accepted", "completed"]);
    expect(open(now, true)).toEqual([]);
  }
  expect(open(new Date(lastMinute.getTime() + 60_000))).toEqual([]);
});
