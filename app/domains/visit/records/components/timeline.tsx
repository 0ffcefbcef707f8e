import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { recordTypeWord } from "#app/domains/booking/appointments/words.ts";
import { type DateKey, formatDate, formatDayShort, formatMonth, monthOf } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { certificateWord } from "../../documents/words.ts";
import type { TimelineEntry } from "../timeline.ts";

type Kind = TimelineEntry["kind"];
const ICON: Record<Kind, IconName> = {
  visit: "stethoscope",
  prescription: "pill",
  certificate: "file-badge",
  order: "test-tube",
  document: "file-text",
  receipt: "indian-rupee",
};
export const timelineIcon = ({ kind }: TimelineEntry): IconName => ICON[kind];
const KIND: Record<Kind, () => string> = {
  visit: () => m.records_visit(),
  prescription: () => m.records_prescription(),
  certificate: () => m.records_certificate(),
  order: () => m.records_order(),
  document: () => m.records_document(),
  receipt: () => m.records_receipt(),
};

/** The title of an entry: the diagnosis of a visit, "4 medicines", the name of a document. */
export function timelineTitle(entry: TimelineEntry): string {
  switch (entry.kind) {
    case "visit":
      return entry.title || m.records_consultation();
    case "prescription":
      return entry.medicines.length ? m.visit_medicines({ count: entry.medicines.length }) : m.visit_no_medicines();
    case "certificate":
      return certificateWord(entry.type);
    case "order":
      return namesWord(entry.tests);
    case "document":
      return entry.title;
    case "receipt":
      return m.records_paid({ amount: formatRupees(entry.amount) });
  }
}

/** Returns "Replaced on 21 Nov 2026" for a document that is not valid any more. */
function endWord(entry: TimelineEntry): string | null {
  if (!("state" in entry) || entry.endedOn === null) return null;
  const date = formatDate(entry.endedOn);
  return entry.state === "cancelled" ? m.records_cancelled({ date }) : m.records_replaced({ date });
}

function factsOf(entry: TimelineEntry, links: TimelineLinks): string[] {
  const doctor = entry.doctor?.name;
  const facts = [
    entry.kind === "visit" && doctor,
    entry.kind === "visit" && entry.followUpOn && m.records_next_visit({ date: formatDate(entry.followUpOn) }),
    entry.kind === "prescription" && namesWord(entry.medicines),
    entry.kind === "prescription" && links.doctor && doctor,
    (entry.kind === "certificate" || entry.kind === "order") && doctor,
    entry.kind === "order" && (entry.results ? m.order_results({ count: entry.results }) : m.order_no_result()),
    entry.kind === "receipt" && doctor,
    entry.kind === "document" && recordTypeWord(entry.type),
    entry.kind === "document" && (entry.fromPlace ? m.result_from_place() : documentWord(doctor, links)),
  ];
  return facts.filter((fact): fact is string => Boolean(fact));
}

function documentWord(doctor: string | undefined, links: TimelineLinks): string {
  if (links.doctor) return doctor ?? m.sharing_by_patient();
  return doctor ? m.records_attached({ doctor }) : m.records_added();
}

/** Returns "Aspirin, Atorvastatin and 2 more". */
function namesWord(names: string[]): string {
  const first = names.slice(0, 2).join(", ");
  return names.length > 2 ? m.records_and_more({ names: first, count: String(names.length - 2) }) : first;
}

export type TimelineLinks = {
  /** The URL of an entry; null: nothing more to read. */
  to: (entry: TimelineEntry) => string | null;
  /** What the reader may do with an own document. */
  remove?: (id: string) => string;
  /** The page that adds the result of an order. */
  result?: (id: string) => string;
  /** The page that makes a link to it. Null: no link. */
  share?: (entry: TimelineEntry) => string | null;
  /** Who else can see it. */
  seenBy?: (entry: TimelineEntry) => string;
  /** More of an entry, below it. */
  below?: (entry: TimelineEntry) => ReactNode;
  /** The reader is a doctor: own documents were added by the patient. */
  doctor?: true;
};

const LINK = "inline-block min-h-target content-center";

/** The entries of a person's records, by month. */
export function Timeline({ entries, links }: { entries: TimelineEntry[]; links: TimelineLinks }) {
  const months = [...Map.groupBy(entries, ({ date }) => monthOf(date))];
  return months.map(([month, rows]) => (
    <section className="mt-7" key={month} aria-labelledby={`h-${month}`}>
      <h2 id={`h-${month}`} className="mb-3">
        {formatMonth(month)}
      </h2>
      <ol>
        {rows.map((entry) => (
          <Entry key={`${entry.kind} ${entry.id}`} entry={entry} links={links} />
        ))}
      </ol>
    </section>
  ));
}

function Entry({ entry, links }: { entry: TimelineEntry; links: TimelineLinks }) {
  const to = links.to(entry);
  const title = timelineTitle(entry);
  const ended = endWord(entry);
  const seen = links.seenBy?.(entry);
  const share = links.share?.(entry);
  const result = entry.kind === "order" && entry.state === "signed" && links.result?.(entry.id);
  const remove = entry.kind === "document" && entry.own && links.remove?.(entry.id);
  // Files and signed documents are no pages of the application.
  const loads = entry.kind !== "visit" && entry.kind !== "receipt";
  return (
    <li className="relative flex gap-3.5 wrap-anywhere not-first:mt-5 not-last:before:absolute not-last:before:w-0.5 not-last:before:bg-line not-last:before:inset-[2.75rem_auto_-1.25rem_1.3125rem] max-[13rem]:before:hidden">
      <span className="grid size-11 flex-none place-items-center rounded-full bg-brand-soft text-brand-strong max-[13rem]:hidden">
        <Icon name={ICON[entry.kind]} />
      </span>
      <div className="grow">
        <p className="text-sm text-ink-soft">{m.records_kind_on({ kind: KIND[entry.kind](), date: dayWord(entry.date) })}</p>
        <h3>
          {to === null ? (
            title
          ) : loads ? (
            <a className={LINK} href={to}>
              {title}
            </a>
          ) : (
            <Link className={LINK} to={to}>
              {title}
            </Link>
          )}
        </h3>
        <p className="text-sm">{factsOf(entry, links).join(" · ")}</p>
        {ended && <p className="text-sm">{ended}</p>}
        {seen && <p className="text-sm text-ink-soft">{seen}</p>}
        {links.below?.(entry)}
        {(share || remove || result) && (
          <p className="row flex-wrap">
            {result && (
              <LinkButton variant="quiet" size="sm" className="pl-0" to={result} aria-label={m.order_add_result_of({ name: title })}>
                {m.order_add_result()}
              </LinkButton>
            )}
            {share && (
              <LinkButton variant="quiet" size="sm" className="pl-0" to={share} aria-label={m.shares_of({ name: title })}>
                {m.shares_share()}
              </LinkButton>
            )}
            {remove && (
              <LinkButton variant="quiet" size="sm" className="pl-0" to={remove} aria-label={m.records_delete_of({ name: title })}>
                {m.records_delete()}
              </LinkButton>
            )}
          </p>
        )}
      </div>
    </li>
  );
}

const dayWord = (date: DateKey) => formatDayShort(date);

/** The URL of an entry for the patient. */
export function patientLink(entry: TimelineEntry): string | null {
  switch (entry.kind) {
    case "visit":
      return entry.appointmentId && href("/patient/appointments/:id", { id: entry.appointmentId });
    case "prescription":
    case "certificate":
    case "order":
      return href("/patient/appointments/:id/documents/:documentId", { id: entry.visitId, documentId: entry.id });
    case "document":
      return href("/files/:id", { id: entry.fileId });
    case "receipt":
      return href("/patient/payments/:id", { id: entry.id });
  }
}

/** The URL of a shared entry for a doctor. `id`: an appointment or visit of the doctor with the patient. */
export function doctorLink(id: string, doctorId: string): (entry: TimelineEntry) => string | null {
  return (entry) => {
    switch (entry.kind) {
      case "visit":
        return entry.doctor?.id === doctorId ? href("/doctor/visits/:id", { id: entry.id }) : null;
      case "prescription":
      case "certificate":
      case "order":
        return href("/doctor/patients/:id/records/:documentId", { id, documentId: entry.id });
      case "document":
        return href("/files/:id", { id: entry.fileId });
      case "receipt":
        return null;
    }
  };
}
