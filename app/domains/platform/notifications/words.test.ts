import { expect, it } from "vitest";
import { NOTIFICATION_KINDS, type NotificationKind } from "./kinds.ts";
import { agoWord, wordsOf } from "./words.ts";

it.each([
  [0, "Just now"],
  [1, "1m ago"],
  [59, "59m ago"],
  [60, "1h ago"],
  [1439, "23h ago"],
  [1440, "1 day ago"],
  [2879, "1 day ago"],
  [2880, "2 days ago"],
])("%i minutes are displayed as %s (spec 000 §9)", (minutes, words) => {
  const now = new Date("2026-11-22T12:00:00Z");
  expect(agoWord(new Date(now.getTime() - minutes * 60_000), now)).toBe(words);
});

it.each(Object.keys(NOTIFICATION_KINDS) as NotificationKind[])("%s has a text that names its subject", (kind) => {
  const written: Record<string, string> = kind === "announcement" ? { title: "Closed on Sunday", message: "We are closed." } : {};
  const { title, message } = wordsOf(kind, { doctor: "Dr. A", patient: "B", date: "2026-11-22", time: "10:30", note: "Why", ...written });
  expect(title.length).toBeGreaterThan(3);
  // The title is a variable of an SMS template, of at most 30 characters.
  expect(title.length).toBeLessThanOrEqual(40);
  expect(message).not.toMatch(/undefined|\{|\}/);
  if (kind.startsWith("appointment-")) expect(message).toContain("22 Nov 2026");
});
