import { describe, expect, it } from "vitest";
import {
  type Cancellable,
  CHANGE_HOURS,
  hasStarted,
  isCancellable,
  isReschedulable,
  minuteInIndia,
  minutesUntil,
  rescheduleDeadline,
} from "#app/domains/visit-time.ts";
import { formatDayShort, formatTime, instantInIndia } from "#app/lib/dates.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { paise } from "#app/lib/money.ts";
import { APPOINTMENT_STATUSES } from "#app/lib/vocabulary.ts";
import { changeRuleAtBooking, changeRuleInHours, changeRuleWord, tooLateToCancel, tooLateWord } from "../appointments/words.ts";
import { decideRefund, REFUND_HOURS } from "./refund-policy.ts";
import { refundLine, refundNowWord, refundTerms } from "./refund-terms.server.ts";

const SLOT = { date: "2026-11-24", time: "10:30" };
const ACCEPTED: Cancellable = { ...SLOT, status: "accepted", doctorDelisted: false, movedByDoctor: false, refundHours: 24 };
/** An instant before the start of the slot. */
const before = (ms: number, slot = SLOT) => new Date(instantInIndia(slot.date, slot.time).getTime() - ms);
const cancelled = (over: Partial<Parameters<typeof decideRefund>[0]>, ms: number) =>
  decideRefund({ ...ACCEPTED, cancelledBy: "patient", now: before(ms), ...over });

describe("a refund after a cancellation", () => {
  it.each([
    ["25 hours before", hours(25), "full"],
    ["24 hours before", hours(24), "full"],
    ["within the minute of the deadline", hours(24) - minutes(1) + 1, "full"],
    ["a minute after the deadline", hours(24) - minutes(1), "none"],
    ["an hour before", hours(1), "none"],
    ["after the start", -hours(1), "none"],
  ] as const)("by the patient, %s", (_, ms, refund) => {
    expect(cancelled({}, ms)).toBe(refund);
  });
  it.each([25, 24, 1, 0, -1])(
    "is always full while pending, by the clinic, and after a change by the clinic (%s hours before)",
    (ahead) => {
      for (const over of [
        { status: "pending" },
        { cancelledBy: "doctor" },
        { cancelledBy: "admin" },
        { movedByDoctor: true },
        { doctorDelisted: true },
      ] as const)
        expect(cancelled(over, hours(ahead))).toBe("full");
    },
  );
  it("counts hours across midnight and the end of a month in India", () => {
    const first = { ...ACCEPTED, date: "2026-12-01", time: "00:15", cancelledBy: "patient" } as const;
    expect(decideRefund({ ...first, now: instantInIndia("2026-11-30", "00:15") })).toBe("full");
    expect(decideRefund({ ...first, now: instantInIndia("2026-11-30", "00:16") })).toBe("none");
  });
});

/** Instants around each deadline, the start and midnight. */
const TIMES = [-hours(1), ...REFUND_HOURS.map(hours), hours(10), hours(23), hours(25), hours(72)].flatMap((ms) =>
  [-minutes(1), 0, minutes(1)].map((more) => before(ms + more)),
);
/** The policies of clinics, and all others that the database would store. */
const POLICIES = Array.from({ length: CHANGE_HOURS + 1 }, (_, hours) => hours);
const VISITS: Cancellable[] = POLICIES.flatMap((refundHours) =>
  APPOINTMENT_STATUSES.flatMap((status) =>
    [0, 1, 2, 3].map((bits) => ({ ...SLOT, status, refundHours, doctorDelisted: bits > 1, movedByDoctor: bits % 2 === 1 })),
  ),
);
/** The instant that a sentence names as the last one: "Mon 23 Nov, 10:30 AM", "Monday, 23 November, 10:30 AM". */
function named(text: string): Date | null {
  const found = text.match(/(\d{1,2}) (Nov)\w*(?: 2026)?, (\d{1,2}):(\d\d) (AM|PM)/);
  if (!found) return null;
  const [, day, , hour, minute, half] = found;
  const time = `${String((Number(hour) % 12) + (half === "PM" ? 12 : 0)).padStart(2, "0")}:${minute}`;
  return instantInIndia(`2026-11-${day!.padStart(2, "0")}`, time);
}

it.each(TIMES)("the sentences about cancelling agree with what happens at %s", (now) => {
  const paid = paise(50_000);
  let deadlines = 0;
  for (const visit of VISITS) {
    const what = JSON.stringify(visit);
    const may = isCancellable(now, visit);
    const refundAt = (moment: Date) => decideRefund({ ...visit, cancelledBy: "patient", now: moment });
    // A patient who can cancel gets everything back.
    if (may) expect(refundAt(now), what).toBe("full");
    expect(refundNowWord(visit, paid, now), what).toBe(may ? "If you cancel now, you get ₹500 back." : "");

    const { rows, soon } = refundTerms(visit, paid, now);
    const by = rows.map(([label]) => named(label)).find((until) => until !== null) ?? null;
    if (by) {
      deadlines++;
      expect(rows.find(([label]) => named(label))?.[1]).toBe("You get ₹500 back");
      expect(by.getTime(), what).toBeGreaterThan(now.getTime() - minutes(1));
      expect(refundAt(by), what).toBe("full");
      if (visit.status === "accepted")
        expect(
          [0, 1].map((more) => isCancellable(new Date(by.getTime() + minutes(more)), visit)),
          what,
        ).toEqual([true, false]);
    }
    // "You cannot cancel here" from now on, and the warning, only where that is so once the doctor has accepted.
    if (soon || rows.some(([label]) => label === "From now on"))
      expect(isCancellable(now, { ...visit, status: "accepted" }), what).toBe(false);

    if (visit.status !== "pending" && visit.status !== "accepted") continue;
    const [movable, begun] = [isReschedulable(now, visit), hasStarted(now, visit)];
    const rules = {
      ...visit,
      movable,
      begun,
      cancellable: may,
      deadline: rescheduleDeadline(now, visit),
      cancelBy: by && minuteInIndia(by),
    };
    const rule = changeRuleWord(rules);
    expect(/no longer (reschedule or )?cancel/.test(rule), `${what}: ${rule}`).toBe(!may);
    expect(rule.includes("can reschedule"), `${what}: ${rule}`).toBe(movable);
    expect(rule.includes("You can cancel until the doctor accepts"), `${what}: ${rule}`).toBe(may && !by);
    // Hours that are left are named while some are.
    for (const text of [rule, soon, may ? "" : tooLateWord("cancel", rules)]) {
      const left = text.match(/[Ll]ess than (\d+) hours/)?.[1];
      if (left) expect(minutesUntil(now, visit) >= 0 && minutesUntil(now, visit) < Number(left) * 60, `${what}: ${text}`).toBe(true);
    }
    // Each language names the same minute, with the same number of hours.
    for (const language of ["te", "hi"] as const)
      withLanguage(language, () => {
        const text = changeRuleWord(rules);
        for (const at of [movable ? rules.deadline : null, may ? rules.cancelBy : null])
          if (at) expect(text, what).toContain(`${formatDayShort(at.date)}, ${formatTime(at.time)}`);
      });
    const line = refundLine(visit, now);
    if (line?.includes("you cancel by")) expect(named(line), what).toEqual(by);
    if (line?.includes("or you cancel") || line?.includes("or if you cancel")) expect(may, `${what}: ${line}`).toBe(true);
    if (line === "Refund: in full if the appointment is cancelled.") expect(may && refundAt(before(0)) === "full", what).toBe(true);
  }
  // Until the start there are deadlines to name.
  expect(deadlines > 0).toBe(now <= before(0));
});

it.each(REFUND_HOURS)("a page without a chosen time names the hours of a policy of %s hours", (refundHours) => {
  expect(changeRuleInHours(refundHours)).toBe(
    {
      24: "You can reschedule or cancel up to 24 hours before the appointment. After that, you can only cancel, and only until the doctor accepts.",
      12: "You can reschedule up to 24 hours before the appointment, and cancel up to 12 hours before it.",
      6: "You can reschedule up to 24 hours before the appointment, and cancel up to 6 hours before it.",
      2: "You can reschedule up to 24 hours before the appointment, and cancel up to 2 hours before it.",
      0: "You can reschedule up to 24 hours before the appointment, and cancel until it begins.",
    }[refundHours],
  );
});

it.each(REFUND_HOURS)("a booking form names the deadlines of a policy of %s hours", (refundHours) => {
  const rule = (ms: number) => changeRuleAtBooking(before(ms), { ...SLOT, refundHours });
  const cancel = { 24: "", 12: "Mon 23 Nov, 10:30 PM", 6: "Tue 24 Nov, 4:30 AM", 2: "Tue 24 Nov, 8:30 AM", 0: "Tue 24 Nov, 10:30 AM" }[
    refundHours
  ];
  expect(rule(hours(30))).toBe(
    refundHours === 24
      ? "You can reschedule or cancel until Mon 23 Nov, 10:30 AM."
      : `You can reschedule until Mon 23 Nov, 10:30 AM, and cancel until ${cancel}.`,
  );
  if (refundHours < 24) expect(rule(hours(20))).toBe(`The time can no longer be changed here. You can cancel until ${cancel}.`);
  else expect(rule(hours(20))).toMatch(/^Less than 24 hours are left: you can cancel only until the doctor accepts\./);
});

it("names the session of a token that has begun, because the turn of its patient may be hours away", () => {
  expect(tooLateToCancel({ begun: true, token: 12, refundHours: 24 })).toBe(
    "The session of your token has begun, so you can no longer cancel here. Please call the clinic.",
  );
  expect(tooLateToCancel({ begun: true, token: null, refundHours: 24 })).toContain("This appointment has begun");
});
