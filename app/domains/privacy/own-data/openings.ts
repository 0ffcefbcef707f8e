import type { Role } from "#app/db/schema/index.ts";
import { memberRoleWord } from "#app/domains/places/members/words.ts";
import { formatDate, formatInstant } from "#app/lib/dates.ts";
import type { MemberRole } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Data of a user that another user opened or changed, once or several times on a day. */
export type Opening = {
  /** The id of the last audit row. */
  id: number;
  action: string;
  actorRole: Role | "system";
  /** Null if unknown. */
  actor: string | null;
  /** The place that a member acted for, the member's role there, and the doctor. */
  place: string | null;
  memberRole: MemberRole | null;
  forDoctor: string | null;
  times: number;
  last: Date;
  /** The date of the visit. */
  date: string | null;
  document: string | null;
  /** Whose records a permission opened. */
  person: string | null;
};

const WHO: Record<Opening["actorRole"], () => string> = {
  doctor: () => m.data_who_doctor(),
  reviewer: () => m.data_who_reviewer(),
  admin: () => m.data_who_admin(),
  patient: () => m.data_who_patient(),
  system: () => m.data_who_system(),
  staff: () => m.data_who_member(),
};

/** Returns "Dr. Rao opened your visit of 22 Nov 2026". */
export function openingWords({ action, actor, actorRole, date, document, person, ...member }: Opening): string {
  // Doctors are shown by name. Staff are shown by role only.
  const who = memberWords(member) ?? ((actorRole === "doctor" && actor) || WHO[actorRole]());
  if (action === "read-appointment") return date ? m.data_opened_visit({ who, date: formatDate(date) }) : m.data_opened_visit_gone({ who });
  if (action === "read-appointment-on-sheet")
    return date ? m.data_opened_sheet({ who, date: formatDate(date) }) : m.data_opened_sheet_gone({ who });
  if (action === "read-record") return document ? m.data_opened_document({ who, document }) : m.data_opened_document_gone({ who });
  if (action === "write-visit" || action === "discard-visit-draft") return m.data_opened_wrote({ who });
  if (action === "sign-prescription" || action === "sign-certificate" || action === "sign-order") return m.data_opened_signed({ who });
  if (action === "cancel-prescription") return m.data_opened_cancelled({ who });
  if (action === "read-shared-records") return m.data_opened_shared({ who, person: person ?? "" });
  if (action === "read-shared-document") return m.data_opened_shared_document({ who, person: person ?? "" });
  if (action === "read-by-link") return m.data_opened_link({ document: document ?? m.records_document() });
  if (action === "read-photo") return m.data_opened_photo({ who });
  if (action === "read-support") return m.data_opened_support({ who });
  if (action === "import-patient") return m.data_opened_import({ who });
  if (action === "import-undo-patient") return m.data_opened_import_undone({ who });
  return m.data_opened_staff({ who });
}
/** Returns "Reception of Asha Clinic, for Dr. Rao"; null for users who acted for themselves. */
function memberWords({ place, memberRole, forDoctor }: Pick<Opening, "place" | "memberRole" | "forDoctor">): string | null {
  if (!place || !memberRole) return null;
  const role = memberRoleWord(memberRole);
  return forDoctor ? m.clinic_acting_for({ role, place, doctor: forDoctor }) : m.clinic_acting({ role, place });
}
/** Returns "22 Nov 2026, 10:30 AM", or the number of times and the last one. */
export const openingTimes = ({ times, last }: Opening) =>
  times === 1 ? m.data_opened_once({ at: formatInstant(last) }) : m.data_opened_often({ count: String(times), at: formatInstant(last) });
