import { addDays, type DateKey, type TimeKey } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

export type ScheduledVisit = {
  id: string;
  date: DateKey;
  time: TimeKey;
  status: "pending" | "accepted";
  patientName: string;
  updatedAt: Date;
};

const VISIT_MINUTES = 30;
const ZONE = "Asia/Kolkata";

/**
 * Returns a doctor's upcoming visits as an iCalendar file (RFC 5545). External calendars receive it, so it contains only name and
 * time: no phone, age or reason. Details are behind the link and its login. A visit has a stable UID, so that importing again
 * updates it. Pending visits are tentative.
 */
export function scheduleIcs(visits: ScheduledVisit[], at: { now: Date; origin: string; doctorName: string }): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Nadi//Schedule//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${text(m.appointments_ics_name({ name: at.doctorName }))}`,
    `X-WR-TIMEZONE:${ZONE}`,
    "BEGIN:VTIMEZONE",
    `TZID:${ZONE}`,
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0530",
    "TZOFFSETTO:+0530",
    "TZNAME:IST",
    "END:STANDARD",
    "END:VTIMEZONE",
    ...visits.flatMap((visit) => {
      const end = endOf(visit);
      const { patientName: name } = visit;
      return [
        "BEGIN:VEVENT",
        `UID:${visit.id}`,
        `DTSTAMP:${utc(at.now)}`,
        `LAST-MODIFIED:${utc(visit.updatedAt)}`,
        `SEQUENCE:${Math.floor(visit.updatedAt.getTime() / 60_000)}`,
        `DTSTART;TZID=${ZONE}:${local(visit.date, visit.time)}`,
        `DTEND;TZID=${ZONE}:${local(end.date, end.time)}`,
        `SUMMARY:${text(visit.status === "pending" ? m.appointments_ics_pending({ name }) : name)}`,
        `STATUS:${visit.status === "pending" ? "TENTATIVE" : "CONFIRMED"}`,
        "CLASS:PRIVATE",
        `URL:${at.origin}/doctor/patient/${visit.id}`,
        "END:VEVENT",
      ];
    }),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

const local = (date: DateKey, time: TimeKey) => `${date.replaceAll("-", "")}T${time.slice(0, 5).replace(":", "")}00`;
const utc = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, "");
function endOf({ date, time }: ScheduledVisit): { date: DateKey; time: TimeKey } {
  const [h = 0, min = 0] = time.split(":").map(Number);
  const end = h * 60 + min + VISIT_MINUTES;
  const pad = (n: number) => String(n).padStart(2, "0");
  return { date: end >= 1440 ? addDays(date, 1) : date, time: `${pad(Math.floor(end / 60) % 24)}:${pad(end % 60)}` };
}

/** Escapes backslash, semicolon, comma and line breaks. Removes other control characters. */
function text(value: string): string {
  return value
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n|[\r\n\u2028\u2029]/g, "\\n")
    .replace(/\p{Cc}/gu, "");
}

/** Folds lines at 75 octets, never inside a character. Continuation lines start with a space. */
function fold(line: string): string {
  const bytes = new TextEncoder();
  const parts: string[] = [];
  let part = "";
  let size = 0;
  for (const character of line) {
    const length = bytes.encode(character).length;
    if (size + length > 75) {
      parts.push(part);
      part = "";
      size = 1;
    }
    part += character;
    size += length;
  }
  return [...parts, part].join("\r\n ");
}
