import { href, Link } from "react-router";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { ShownVisit } from "../page/shown-visit.ts";
import { doctorLink, timelineIcon, timelineTitle } from "../records/components/timeline.tsx";
import type { SharedBeside } from "../sharing/permission.ts";

type Props = {
  visit: { id: string; name: string };
  doctorId: string;
  earlier: ShownVisit[];
  documents: { fileId: string; description: string; at: Date }[];
  /** What the patient shares. Null: nothing. */
  shared: SharedBeside | null;
  /** A patient without an account cannot share records. */
  hasAccount: boolean;
};

/** Earlier visits of the patient with this doctor, the documents of the appointment, and records that the patient shares. */
export function VisitHistory({ visit, doctorId, earlier, documents, shared, hasAccount }: Props) {
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
      {hasAccount && <h2 className="section tight">{m.sharing_others()}</h2>}
      {hasAccount && !shared && <p className="soft small">{m.sharing_others_hidden({ name: visit.name })}</p>}
      {shared && <Shared id={visit.id} doctorId={doctorId} shared={shared} />}
    </aside>
  );
}

/** The latest records of other doctors and of the patient, and what other doctors noted about allergies and conditions. */
function Shared({ id, doctorId, shared }: { id: string; doctorId: string; shared: SharedBeside }) {
  const link = doctorLink(id, doctorId);
  return (
    <>
      <p className="soft small">{m.sharing_others_until({ date: formatDate(shared.until) })}</p>
      {shared.known.length > 0 && (
        <Note tone="warn" className="mt">
          <b>{m.sharing_known_title()}</b>
          {shared.known.map(({ kind, what, doctor, date }) => (
            <p key={`${kind} ${what}`}>
              {m.sharing_known({ what: kind === "allergy" ? m.visit_allergy({ what }) : what, doctor, date: formatDate(date) })}
            </p>
          ))}
        </Note>
      )}
      {shared.entries.length === 0 && <p className="soft small">{m.sharing_others_none()}</p>}
      <ul>
        {shared.entries.map((entry) => (
          <li key={`${entry.kind} ${entry.id}`}>
            <a className="history-doc row" href={link(entry) ?? undefined}>
              <Icon name={timelineIcon(entry)} />
              <span>
                <b>{timelineTitle(entry)}</b>
                <br />
                <span className="small soft">{[formatDate(entry.date), entry.doctor?.name ?? m.sharing_by_patient()].join(" · ")}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {shared.total > 0 && (
        <p className="mt">
          <LinkButton to={href("/doctor/patients/:id/records", { id })} variant="second" size="sm">
            {m.sharing_all()}
          </LinkButton>
        </p>
      )}
    </>
  );
}
