import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { IconName } from "#app/ui/icon.tsx";
import { doctorLink, timelineIcon, timelineTitle } from "../../records/components/timeline.tsx";
import type { SharedBeside } from "../permission.ts";

/** What the page of a visit shows of shared records. The server writes the words: the page of the form has many scripts already. */
export type ShownBeside = {
  title: string;
  until: string;
  knownTitle: string;
  known: string[];
  rows: { key: string; to: string | null; icon: IconName; title: string; text: string }[];
  /** Without rows. */
  none: string;
  all: string | null;
};

/** `id`: the visit of the doctor. */
export function besideWords(id: string, doctorId: string, { until, entries, total, known }: SharedBeside): ShownBeside {
  const link = doctorLink(id, doctorId);
  return {
    title: m.sharing_others(),
    until: m.sharing_others_until({ date: formatDate(until) }),
    knownTitle: m.sharing_known_title(),
    known: known.map(({ kind, what, doctor, date }) =>
      m.sharing_known({ what: kind === "allergy" ? m.visit_allergy({ what }) : what, doctor, date: formatDate(date) }),
    ),
    rows: entries.map((entry) => ({
      key: `${entry.kind} ${entry.id}`,
      to: link(entry),
      icon: timelineIcon(entry),
      title: timelineTitle(entry),
      text: [formatDate(entry.date), entry.doctor?.name ?? m.sharing_by_patient()].join(" · "),
    })),
    none: m.sharing_others_none(),
    all: total > 0 ? m.sharing_all() : null,
  };
}
