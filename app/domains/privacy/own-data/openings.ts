import type { Role } from "#app/db/schema/index.ts";
import { formatDate, formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** Something of a person that somebody else opened or changed, once or several times on one day. */
export type Opening = {
  /** The id of the last of them in the log. */
  id: number;
  action: string;
  actorRole: Role | "system";
  /** Null where none is known. */
  actor: string | null;
  times: number;
  last: Date;
  /** The day of the visit it was about. */
  date: string | null;
  paper: string | null;
};

const WHO: Record<Opening["actorRole"], () => string> = {
  doctor: () => m.data_who_doctor(),
  reviewer: () => m.data_who_reviewer(),
  admin: () => m.data_who_admin(),
  patient: () => m.data_who_patient(),
  system: () => m.data_who_system(),
};

/** "Dr. Rao opened your visit of 22 Nov 2026". */
export function openingWords({ action, actor, actorRole, date, paper }: Opening): string {
  // Doctors stand by their names; of the staff a person need only know that it was staff.
  const who = (actorRole === "doctor" && actor) || WHO[actorRole]();
  if (action === "read-appointment") return date ? m.data_opened_visit({ who, date: formatDate(date) }) : m.data_opened_visit_gone({ who });
  if (action === "read-appointment-on-sheet")
    return date ? m.data_opened_sheet({ who, date: formatDate(date) }) : m.data_opened_sheet_gone({ who });
  if (action === "read-record") return paper ? m.data_opened_paper({ who, paper }) : m.data_opened_paper_gone({ who });
  if (action === "read-photo") return m.data_opened_photo({ who });
  return m.data_opened_staff({ who });
}
/** "22 Nov 2026, 10:30 AM", or how often and when last. */
export const openingTimes = ({ times, last }: Opening) =>
  times === 1 ? m.data_opened_once({ at: formatInstant(last) }) : m.data_opened_often({ count: String(times), at: formatInstant(last) });
