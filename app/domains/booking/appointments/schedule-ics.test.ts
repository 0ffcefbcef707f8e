import { expect, it } from "vitest";
import { type ScheduledVisit, scheduleIcs } from "./schedule-ics.ts";

const at = { now: new Date("2026-11-21T06:00:00Z"), origin: "https://nadi.example", doctorName: "Dr. A, B; C\\D" };
const visit: ScheduledVisit = {
  id: "11111111-1111-4111-8111-111111111111",
  date: "2026-11-30",
  time: "17:30",
  status: "accepted",
  patientName: "Lakshmi",
  updatedAt: new Date("2026-11-20T06:00:00Z"),
};
const lines = (file: string) => file.replaceAll("\r\n ", "").split("\r\n");

it("writes a calendar in the time zone of the clinic", () => {
  const file = lines(scheduleIcs([visit], at));
  expect(file[0]).toBe("BEGIN:VCALENDAR");
  expect(file).toContain("DTSTART;TZID=Asia/Kolkata:20261130T173000");
  expect(file).toContain("DTEND;TZID=Asia/Kolkata:20261130T180000");
  expect(file).toContain("TZOFFSETTO:+0530");
  expect(file).toContain("DTSTAMP:20261121T060000Z");
  expect(file).toContain("STATUS:CONFIRMED");
  expect(file).toContain("SUMMARY:Lakshmi");
  expect(file).toContain("X-WR-CALNAME:Nadi\\, Dr. A\\, B\\; C\\\\D");
  expect(file.at(-1)).toBe("");
});
it("gives a visit the same UID in every calendar, and a higher sequence after a change", () => {
  const of = (file: string, name: string) => lines(file).find((line) => line.startsWith(name));
  const later = scheduleIcs([{ ...visit, date: "2026-12-01", updatedAt: new Date("2026-11-21T05:00:00Z") }], {
    ...at,
    origin: "http://127.0.0.1:1",
  });
  expect(of(later, "UID:")).toBe(of(scheduleIcs([visit], at), "UID:"));
  expect(Number(of(later, "SEQUENCE:")?.slice(9))).toBeGreaterThan(Number(of(scheduleIcs([visit], at), "SEQUENCE:")?.slice(9)));
});
it("escapes line breaks in names", () => {
  const file = scheduleIcs([{ ...visit, status: "pending", patientName: "A\r\nATTENDEE:mailto:x\u0007;" }], at);
  expect(lines(file)).toContain("SUMMARY:A\\nATTENDEE:mailto:x\\; (waiting for your answer)");
  expect(lines(file)).toContain("STATUS:TENTATIVE");
  expect(lines(file).some((line) => line.startsWith("ATTENDEE"))).toBe(false);
});
it("folds long lines between characters", () => {
  const name = "వెంకట సత్యనారాయణ మూర్తి ".repeat(5).trim();
  const file = scheduleIcs([{ ...visit, patientName: name }], at);
  for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(lines(file)).toContain(`SUMMARY:${name}`);
});
