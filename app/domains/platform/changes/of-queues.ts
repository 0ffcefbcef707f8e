/** Queues: their sessions and the patients in them. The open pages of a queue load again once, at the end of each command (`queueChanged`). */
import type { Consequences } from "./consequences.ts";

const queue = { of: "queue" } as const;
const ofPatient = { of: "queue", person: "patient" } as const;

export const OF_QUEUES = {
  "queue-session.plan": {},
  "queue-session.open": { audit: { ...queue, action: "open-queue" } },
  "queue-session.pause": { audit: { ...queue, action: "pause-queue" } },
  "queue-session.resume": { audit: { ...queue, action: "resume-queue" } },
  "queue-session.close": { audit: { ...queue, action: "close-queue" } },
  "queue-session.reopen": { audit: { ...queue, action: "reopen-queue" } },
  "announce-delay": { audit: queue },
  "show-queue": { queue: true },

  // What staff or the patient pressed has one audit entry, also where it moves several patients.
  "change-queue": { audit: ofPatient },
  "add-to-queue": { audit: ofPatient },
  "queue-entry.add": {},
  "queue-entry.arrive": {},
  "queue-entry.call": {},
  "queue-entry.undo-call": {},
  "queue-entry.enter": {},
  "queue-entry.finish": {},
  "queue-entry.skip": {},
  "queue-entry.return": {},
  "queue-entry.leave": {},
  "queue-entry.miss": {},
  "queue-entry.undo-miss": {},
  "queue-entry.undo-finish": {},
  "queue-entry.return-inside": {},
  "queue-entry.complete": {},
  "queue-entry.unseen": {},
  "queue-entry.lapse": {},
  "queue-entry.undo-lapse": {},

  "replace-place-link": { audit: { of: "hospital" } },
  "set-walk-ins-by-code": { audit: { of: "hospital" } },
} as const satisfies Record<string, Consequences>;
