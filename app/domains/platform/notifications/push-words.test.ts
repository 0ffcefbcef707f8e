import { expect, it } from "vitest";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { pushWords } from "../delivery/deliver-push.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind } from "./kinds.ts";
import { PUSH_GROUPS } from "./push-groups.ts";

const SECRET = "Secretia";
const PARAMS = Object.fromEntries(
  ["doctor", "patient", "place", "author", "note", "name", "website", "amount", "reference"].map((name) => [name, SECRET]),
);
const kinds = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[]).filter((kind) => PUSH_GROUPS[kind] !== null);

it.each(LANGUAGES)("a lock screen shows no name and no text of a user (%s)", (language) => {
  for (const kind of kinds) {
    const { title, body } = withLanguage(language, () =>
      pushWords(kind, { ...PARAMS, date: "2026-11-22", time: "10:30", why: "unwell", field: "name" }),
    );
    expect(`${title} ${body}`, kind).not.toContain(SECRET);
    expect(Math.min(title.length, body.length), kind).toBeGreaterThan(3);
  }
});

it("day and time are shown where an SMS has them", () => {
  const dated = kinds.filter((kind) => pushWords(kind, { date: "2026-11-22", time: "10:30" }).body === "22 Nov 2026, 10:30 AM");
  expect(dated).toEqual([
    "appointment-booked-for-you",
    "appointment-cancelled-by-doctor",
    "appointment-queue-closed",
    "appointment-cancelled-for-you",
    "appointment-reminder-day",
    "appointment-reminder-hours",
    "appointment-unanswered",
    "waitlist-offer",
  ]);
});
