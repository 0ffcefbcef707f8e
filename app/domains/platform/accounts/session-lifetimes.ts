import type { Role, SessionKind } from "#app/db/schema/index.ts";
import { days, hours, minutes, seconds } from "#app/lib/durations.ts";

/** In milliseconds. */
type Lifetime = {
  /** A session ends this long after the login, however much it is used. */
  absolute: number;
  /** A session ends this long after its last use; null: no such limit. */
  idle: number | null;
  /** The last use is written at most this often, to save writes. The idle limit has this accuracy. */
  seenEvery: number;
};

const PATIENT: Lifetime = { absolute: days(30), idle: null, seenEvery: hours(1) };
const DOCTOR: Lifetime = { absolute: days(7), idle: hours(12), seenEvery: minutes(5) };
const STAFF: Lifetime = { absolute: hours(12), idle: minutes(30), seenEvery: seconds(15) };

/** At the desk of a place, all day long: one login a shift. */
const MEMBER: Lifetime = { absolute: hours(12), idle: hours(12), seenEvery: minutes(5) };

/**
 * Session lifetimes (timeouts) by role and kind. A token of an app allows the same as the pages, so its lifetime is the same
 * (docs/decisions/042). `findSession` enforces this table.
 */
export const SESSION_LIFETIMES: Record<Role, Record<SessionKind, Lifetime>> = {
  patient: { browser: PATIENT, api: PATIENT },
  doctor: { browser: DOCTOR, api: DOCTOR },
  reviewer: { browser: STAFF, api: STAFF },
  admin: { browser: STAFF, api: STAFF },
  staff: { browser: MEMBER, api: MEMBER },
};

/** Returns when a session ends if it is not used again. */
export function sessionEnd(session: { role: Role; kind: SessionKind; lastSeenAt: Date; expiresAt: Date }): Date {
  const { idle } = SESSION_LIFETIMES[session.role][session.kind];
  const end = session.expiresAt.getTime();
  return new Date(idle === null ? end : Math.min(end, session.lastSeenAt.getTime() + idle));
}
