import type { DateKey } from "#app/lib/dates.ts";
import type { RecordType, Relation, VisitDocumentState } from "#app/lib/vocabulary.ts";
import type { CertificateType } from "../documents/content.ts";

/** A person of an account. `id`: "me", a family member's id, or the key of another name. */
export type RecordPerson = { id: string; key: string; name: string; relation: Relation | null };

export const RECORD_KINDS = ["visits", "prescriptions", "documents", "receipts"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

type Common = {
  id: string;
  date: DateKey;
  /** Null: the patient's own document. */
  doctor: { id: string; name: string } | null;
};
/** One row of the timeline. */
export type TimelineEntry = Common &
  (
    | { kind: "visit"; appointmentId: string | null; title: string; followUpOn: DateKey | null }
    | { kind: "prescription"; visitId: string; state: VisitDocumentState; medicines: string[]; endedOn: DateKey | null }
    | { kind: "certificate"; visitId: string; state: VisitDocumentState; type: CertificateType; endedOn: DateKey | null }
    | { kind: "order"; visitId: string; state: VisitDocumentState; tests: string[]; results: number; endedOn: DateKey | null }
    | {
        kind: "document";
        fileId: string;
        type: RecordType;
        title: string;
        own: boolean;
        /** The doctor or the staff of the place added it. */
        fromPlace?: boolean;
        open: boolean;
        reader?: { id: string; name: string } | null;
      }
    | { kind: "receipt"; amount: number }
  );

const OF_KIND: Record<RecordKind, readonly TimelineEntry["kind"][]> = {
  visits: ["visit"],
  prescriptions: ["prescription", "certificate", "order"],
  documents: ["document"],
  receipts: ["receipt"],
};

/** Returns the entries of a kind in which every word of the search is found. */
export function filterTimeline<Entry extends TimelineEntry & { words: string }>(
  entries: Entry[],
  { q, kind }: { q: string; kind: RecordKind | null },
): Entry[] {
  const wanted = plainWords(q).split(" ").filter(Boolean);
  return entries.filter(
    (entry) => (kind === null || OF_KIND[kind].includes(entry.kind)) && wanted.every((word) => plainWords(entry.words).includes(word)),
  );
}

const plainWords = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
