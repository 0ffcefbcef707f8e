import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LATE_AFTER, WAITING } from "./case-lists.ts";

/** Returns with whom a waiting case is, and since when. */
export function sinceWord(status: RegistrationStatus, since: Date): string {
  const date = formatDate(todayInIndia(since));
  return status === "pending admin approval" ? m.cases_since_admin({ date }) : m.cases_since_hospital({ date });
}

export const isLate = ({ status, waitingSince }: { status: RegistrationStatus; waitingSince: Date | null }, now: Date): boolean =>
  WAITING.includes(status) && waitingSince !== null && now.getTime() - waitingSince.getTime() >= LATE_AFTER;

/** Returns the reviewer of a case in words. */
export function assigneeWord(
  { assignedTo, assignedName }: { assignedTo: string | null; assignedName: string | null },
  viewerId: string | undefined,
): string {
  if (!assignedTo) return m.cases_unassigned();
  return assignedTo === viewerId ? m.cases_assigned_you() : m.cases_assigned_to({ name: assignedName || m.cases_a_colleague() });
}
