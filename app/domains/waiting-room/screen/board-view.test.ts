import { expect, test } from "vitest";
import type { Snapshot } from "../token-page/token-view.ts";
import { viewBoard } from "./board-view.ts";

const session = (over: object, waiting: number[] = []): Snapshot =>
  ({
    queue: {
      session: {
        id: "s",
        practiceId: "p",
        date: "2026-11-24",
        state: "planned",
        startsAt: "09:00:00",
        endsAt: "13:00:00",
        calls: 0,
        lateMinutes: 0,
        doctorInAt: null,
        ...over,
      },
      called: [],
      withDoctor: null,
      waiting: waiting.map((number) => ({ number, priority: "none" })),
    },
    practice: { doctor: "Dr. Rao", doctorTexts: {}, place: null, placeTexts: null, phone: null },
  }) as unknown as Snapshot;
const at = (time: string) => new Date(`2026-11-24T${time}:00+05:30`);
const shown = (snapshots: Snapshot[], time: string) => viewBoard(snapshots, at(time)).map(({ id, startsAt }) => [id, startsAt]);

test.each([
  ["before it starts", "08:00", [], true],
  ["in its time, not opened yet", "12:59", [], true],
  ["after its end, without a patient", "13:00", [], false],
  ["in the evening, without a patient", "20:00", [], false],
  ["after its end, while a patient waits", "13:30", [4], true],
] as const)("a planned session %s", (_, time, waiting, visible) => {
  expect(shown([session({}, [...waiting])], time)).toHaveLength(visible ? 1 : 0);
});

test("the evening is shown after a morning that was not opened", () => {
  const both = [session({ id: "morning" }), session({ id: "evening", startsAt: "17:00:00", endsAt: "20:00:00" })];
  expect(shown(both, "12:00")).toEqual([["morning", "09:00"]]);
  expect(shown(both, "14:00")).toEqual([["evening", "17:00"]]);
  expect(shown(both, "20:30")).toEqual([]);
});

test("a planned session of another day is not shown", () => {
  expect(shown([session({ date: "2026-11-25" })], "09:00")).toEqual([]);
});
