import { href, Link } from "react-router";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { ShownVisit } from "../page/shown-visit.ts";
import type { ShownBeside } from "../sharing/components/beside-words.ts";

type Props = {
  visitId: string;
  /** `count`: "2 medicines". */
  earlier: (ShownVisit & { count: string })[];
  documents: { fileId: string; description: string; at: Date }[];
  /** What the patient shares. Null: nothing. */
  shared: ShownBeside | null;
  /** Why nothing is shared. Null for a patient without an account, who cannot share. */
  hidden: { title: string; text: string } | null;
};

/** Earlier visits of the patient with this doctor, the documents of the appointment, and records that the patient shares. */
export function VisitHistory({ visitId, earlier, documents, shared, hidden }: Props) {
  return (
    <aside
      className="card mt-3 scroll-mt-20 desktop:sticky desktop:top-20 desktop:mt-0 desktop:max-h-[calc(100vh-12rem)] desktop:overflow-auto"
      id="history"
      aria-labelledby="h-history"
    >
      <h2 id="h-history">{m.visit_earlier()}</h2>
      {earlier.length === 0 && <p className="text-sm text-ink-soft">{m.visit_earlier_none()}</p>}
      {earlier.map((visit) => (
        <EarlierVisit key={visit.documentId} visit={visit} />
      ))}
      <h2 className="mt-4">{m.visit_documents()}</h2>
      {documents.length === 0 && <p className="text-sm text-ink-soft">{m.visit_documents_none()}</p>}
      <ul>
        {documents.map(({ fileId, description, at }) => (
          <li key={fileId}>
            <a className="row min-h-target flex-nowrap no-underline" href={href("/files/:id", { id: fileId })}>
              <Icon name="file-text" />
              <span>
                <b>{description}</b>
                <br />
                <time className="text-sm text-ink-soft">{formatDate(at.toISOString().slice(0, 10))}</time>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {hidden !== null && (
        <>
          <h2 className="mt-4">{hidden.title}</h2>
          <p className="text-sm text-ink-soft">{hidden.text}</p>
        </>
      )}
      {shared && <Shared id={visitId} shared={shared} />}
    </aside>
  );
}

function EarlierVisit({ visit }: { visit: Props["earlier"][number] }) {
  return (
    <details className="py-1 px-0 border-t border-t-line">
      <summary className="min-h-target py-2">
        <b>{visit.diagnosis || visit.complaint || m.visit_consultation()}</b>
        <br />
        <span className="text-sm text-ink-soft">
          {formatDate(visit.date)}, {visit.count}
        </span>
      </summary>
      <div className="text-sm space-y-1">
        {visit.findings && <p className="whitespace-pre-line">{visit.findings}</p>}
        {visit.signedAnyway && <p>{visit.signedAnyway}</p>}
        <ul>
          {visit.medicines.map((one, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: signed lines never change their order
            <li key={i}>
              <b className="uppercase">{one.name}</b> {one.strength}: {one.dose}
            </li>
          ))}
        </ul>
        <p>
          <Link to={href("/doctor/visits/:id", { id: visit.visitId })}>{m.visit_open()}</Link>
        </p>
      </div>
    </details>
  );
}

/** The latest records of other doctors and of the patient, and what other doctors noted about allergies and conditions. */
function Shared({ id, shared }: { id: string; shared: ShownBeside }) {
  return (
    <>
      <h2 className="mt-4">{shared.title}</h2>
      <p className="text-sm text-ink-soft">{shared.until}</p>
      {shared.known.length > 0 && (
        <Note tone="warn" className="mt-2">
          <b>{shared.knownTitle}</b>
          {shared.known.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Note>
      )}
      {shared.rows.length === 0 && <p className="text-sm text-ink-soft">{shared.none}</p>}
      <ul>
        {shared.rows.map(({ key, to, icon, title, text }) => (
          <li key={key}>
            <a className="row min-h-target flex-nowrap no-underline" href={to ?? undefined}>
              <Icon name={icon} />
              <span>
                <b>{title}</b>
                <br />
                <span className="text-sm text-ink-soft">{text}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {shared.all && (
        <p className="mt-2">
          <LinkButton variant="second" size="sm" to={href("/doctor/patients/:id/records", { id })}>
            {shared.all}
          </LinkButton>
        </p>
      )}
    </>
  );
}
