import { addDays, type DateKey, type TimeKey } from "#app/lib/dates.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

type Timed = { id: string; date: DateKey; time: TimeKey; status: AppointmentStatus; updatedAt: Date };
export type ScheduledVisit = Timed & { status: "pending" | "accepted"; patientName: string };

const VISIT_MINUTES = 30;
const ZONE = "Asia/Kolkata";

/**
 * Returns a doctor's upcoming visits as an iCalendar file (RFC 5545). External calendars receive it, so it contains only name and
 * time: no phone, age or reason. Details are behind the link and its login. A visit has a stable UID, so that importing again
 * updates it. Pending visits are tentative.
 */
export function scheduleIcs(visits: ScheduledVisit[], at: { now: Date; origin: string; doctorName: string }): string {
  return calendarFile(
    m.appointments_ics_name({ name: at.doctorName }),
    visits.flatMap((visit) =>
      event(visit, at.now, {
        summary: visit.status === "pending" ? m.appointments_ics_pending({ name: visit.patientName }) : visit.patientName,
        url: `${at.origin}/doctor/patient/${visit.id}`,
      }),
    ),
  );
}

export type OwnVisit = Timed & { doctorName: string; place: string };

/**
 * Returns an appointment of a patient as an iCalendar file: doctor, place and time, without the reason or the patient. The UID is
 * stable, so that importing the file again moves or cancels the entry.
 */
export function appointmentIcs(visit: OwnVisit, at: { now: Date; url: string }): string {
  return calendarFile(m.appointments_ics_name({ name: visit.doctorName }), event(visit, at.now, ownWords(visit, at.url)));
}

/** An iCalendar message of an email. The part of the email must state the same method. */
export type Invitation = { method: "REQUEST" | "CANCEL"; content: string };

/**
 * Returns an appointment of a patient as a message to their calendar (iTIP, RFC 5546). A calendar moves and ends an entry only for a message of
 * its organizer with the same UID and a higher SEQUENCE; files with PUBLISH it keeps as they are. It asks no attendee to reply. Without a name of the
 * calendar, with which Outlook opens another calendar.
 */
export function appointmentInvitation(visit: OwnVisit, at: { now: Date; url: string; organizer: string; attendee: string }): Invitation {
  const method = visit.status === "cancelled" ? "CANCEL" : "REQUEST";
  const people = [
    `ORGANIZER;CN=Nadi:mailto:${at.organizer}`,
    `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${at.attendee}`,
  ];
  return { method, content: calendarOf(method, [], event(visit, at.now, ownWords(visit, at.url), people)) };
}

function ownWords(visit: OwnVisit, url: string): Words {
  const doctor = visit.doctorName;
  const summary = visit.status === "pending" ? m.appointments_ics_own_pending({ doctor }) : m.appointments_ics_own({ doctor });
  return { summary, location: visit.place, url };
}

/**
 * Returns a doctor's appointments for a calendar that subscribes (RFC 5545): names and times only, as in `scheduleIcs`. Cancelled ones stay as
 * cancelled events, because a calendar that misses an event may keep it. The text changes only with the appointments.
 */
export function feedOfDoctor(visits: (Timed & { patientName: string })[], at: { origin: string; name: string }): string {
  return calendarFile(
    m.appointments_ics_name({ name: at.name }),
    visits.flatMap((visit) =>
      event(visit, visit.updatedAt, {
        summary: cancelledFirst(
          visit,
          visit.status === "pending" ? m.appointments_ics_pending({ name: visit.patientName }) : visit.patientName,
        ),
        url: `${at.origin}/doctor/patient/${visit.id}`,
      }),
    ),
    REFRESH,
  );
}

/** As `feedOfDoctor`, of a patient: doctor, place and time. */
export function feedOfPatient(visits: OwnVisit[], at: { origin: string }): string {
  return calendarFile(
    m.feed_name(),
    visits.flatMap((visit) => {
      const words = ownWords(visit, `${at.origin}/patient/appointments/${visit.id}`);
      return event(visit, visit.updatedAt, { ...words, summary: cancelledFirst(visit, words.summary) });
    }),
    REFRESH,
  );
}

/** Some calendars show cancelled events like others. */
const cancelledFirst = ({ status }: Timed, summary: string) => (status === "cancelled" ? m.feed_cancelled({ summary }) : summary);
/** Calendars may load it every hour. Many ignore it (RFC 7986 §5.7). */
const REFRESH = ["REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"];

const STATUS = { pending: "TENTATIVE", accepted: "CONFIRMED", completed: "CONFIRMED", cancelled: "CANCELLED" } as const;

type Words = { summary: string; location?: string; url: string };

function event(visit: Timed, now: Date, { summary, location, url }: Words, people: string[] = []): string[] {
  const end = endOf(visit);
  return [
    "BEGIN:VEVENT",
    `UID:${visit.id}`,
    `DTSTAMP:${utc(now)}`,
    `LAST-MODIFIED:${utc(visit.updatedAt)}`,
    `SEQUENCE:${sequenceOf(visit.updatedAt)}`,
    `DTSTART;TZID=${ZONE}:${local(visit.date, visit.time)}`,
    `DTEND;TZID=${ZONE}:${local(end.date, end.time)}`,
    `SUMMARY:${text(summary)}`,
    ...(location ? [`LOCATION:${text(location)}`] : []),
    `STATUS:${STATUS[visit.status]}`,
    ...people,
    "CLASS:PRIVATE",
    `URL:${url}`,
    "END:VEVENT",
  ];
}

/** Returns the seconds since 2020: grows with each change (`changedAt`), and fits the 31 bits of a SEQUENCE until 2088. */
const sequenceOf = (updatedAt: Date) => Math.floor((updatedAt.getTime() - Date.UTC(2020, 0, 1)) / 1000);

const calendarFile = (name: string, events: string[], refresh: string[] = []): string =>
  calendarOf("PUBLISH", [`X-WR-CALNAME:${text(name)}`, `X-WR-TIMEZONE:${ZONE}`, ...refresh], events);

function calendarOf(method: "PUBLISH" | Invitation["method"], about: string[], events: string[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Nadi//Schedule//EN",
    "CALSCALE:GREGORIAN",
    `METHOD:${method}`,
    ...about,
    "BEGIN:VTIMEZONE",
    `TZID:${ZONE}`,
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0530",
    "TZOFFSETTO:+0530",
    "TZNAME:IST",
    "END:STANDARD",
    "END:VTIMEZONE",
    ...events,
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

const local = (date: DateKey, time: TimeKey) => `${date.replaceAll("-", "")}T${time.slice(0, 5).replace(":", "")}00`;
const utc = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, "");
function endOf({ date, time }: { date: DateKey; time: TimeKey }): { date: DateKey; time: TimeKey } {
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
