import { href, Link } from "react-router";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "#app/ui/icon.tsx";
import type { ShownVisit } from "../page/shown-visit.ts";

type Props = { earlier: ShownVisit[]; documents: { fileId: string; description: string; at: Date }[] };

/** Earlier visits of the patient with this doctor, and the documents of the appointment. */
export function VisitHistory({ earlier, documents }: Props) {
  return (
    <aside className="history-sheet card" id="history" aria-labelledby="h-history">
      <h2 id="h-history">{m.visit_earlier()}</h2>
      {earlier.length === 0 && <p className="soft small">{m.visit_earlier_none()}</p>}
      {earlier.map((visit) => (
        <details className="past-visit" key={visit.documentId}>
          <summary className="summary-row">
            <b>{visit.diagnosis || visit.complaint || m.visit_consultation()}</b>
            <br />
            <span className="small soft">
              {formatDate(visit.date)}, {m.visit_medicines({ count: visit.medicines.length })}
            </span>
          </summary>
          <div className="small stack-s">
            {visit.findings && <p className="pre">{visit.findings}</p>}
            <ul>
              {visit.medicines.map((one, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: signed lines never change their order
                <li key={i}>
                  <b className="generic-name">{one.name}</b> {one.strength}: {one.dose}
                </li>
              ))}
            </ul>
            <p>
              <Link to={href("/doctor/visits/:id", { id: visit.visitId })}>{m.visit_open()}</Link>
            </p>
          </div>
        </details>
      ))}
      <h2 className="section tight">{m.visit_documents()}</h2>
      {documents.length === 0 && <p className="soft small">{m.visit_documents_none()}</p>}
      <ul>
        {documents.map(({ fileId, description, at }) => (
          <li key={fileId}>
            <a className="history-doc row" href={href("/files/:id", { id: fileId })}>
              <Icon name="file-text" />
              <span>
                <b>{description}</b>
                <br />
                <time className="small soft">{formatDate(at.toISOString().slice(0, 10))}</time>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </aside>
  );
}
