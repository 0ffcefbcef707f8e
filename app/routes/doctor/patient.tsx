import { href, isRouteErrorResponse } from "react-router";
import {
  type Actionable,
  AppointmentActions,
  AskFirst,
  ChangeTimeLink,
} from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { type DoctorDocument, findNextOfDay, readDoctorAppointment } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { cancelledForDoctorWord } from "#app/domains/booking/appointments/own-words.ts";
import { recordTypeWord } from "#app/domains/booking/appointments/words.ts";
import { VisitPayment } from "#app/domains/money/payments/components/visit-payment.tsx";
import { getHandledMoney } from "#app/domains/money/payments/queries.server.ts";
import { sizeWord } from "#app/domains/platform/files/upload-limits.ts";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDay, formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Disc, Facts, MetaLine, Note, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DocumentLink, documentList, documentRow } from "#app/ui/staff/document-link.tsx";
import { sticky, TwoColumns } from "#app/ui/staff/two-columns.tsx";
import type { Route } from "./+types/patient.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const appointment = await readDoctorAppointment(ctx, params.id);
  const [next, money] = await Promise.all([findNextOfDay(ctx, appointment), getHandledMoney(ctx, appointment.id, { hospitalId: null })]);
  return { appointment, next, money, today: todayInIndia(ctx.now) };
});

type Data = Route.ComponentProps["loaderData"];

export default function DoctorPatient({ loaderData }: Route.ComponentProps) {
  const { appointment: a, next, money, today } = loaderData;
  return (
    <Page
      wide
      title={m.appointments_patient_title()}
      titleAs="p"
      back={{ to: href("/doctor/appointments"), label: m.appointments_doctor_title() }}
    >
      <div className="row flex-wrap items-start">
        <Disc id={a.id} name={a.patientName} photo={a.photoFileId && href("/files/:id", { id: a.photoFileId })} size="lg" />
        <div className="grow">
          <h1>{a.patientName}</h1>
          <p className="text-ink-soft">{bookedPatientWord(a)}</p>
          <MetaLine className="mt-2">
            <StatusBadge status={a.status} missed={a.missed} />
          </MetaLine>
        </div>
      </div>
      {a.status === "cancelled" && cancelledForDoctorWord(a) && <Note className="mt-4">{cancelledForDoctorWord(a)}</Note>}
      <TwoColumns className="mt-7">
        <aside className={`${sticky} desktop:col-start-2 desktop:row-start-1`} aria-labelledby="h-do">
          <section className="card mt-7" aria-labelledby="h-do">
            <h2 id="h-do">{m.appointments_next_step()}</h2>
            <div className="mt-4 grid gap-2.5">
              <AskFirst from={href("/doctor/patient/:id", { id: a.id })}>
                <AppointmentActions appointment={a}>
                  <ChangeTimeLink appointment={a} />
                </AppointmentActions>
              </AskFirst>
            </div>
            {(a.status === "accepted" || a.status === "completed") && a.date <= today && (
              <p className="foot">
                <LinkButton to={href("/doctor/visits/:id", { id: a.id })} full variant="second" icon="file-text">
                  {m.visit_write()}
                </LinkButton>
              </p>
            )}
            <NextPatient next={next} after={a} />
          </section>
          <VisitPayment
            money={money}
            record={href("/doctor/patient/:visitId/payment", { visitId: a.id })}
            receiptOf={(id) => href("/doctor/payments/:paymentId", { paymentId: id })}
            returnOf={(id) => href("/doctor/payments/:paymentId/refund", { paymentId: id })}
          />
        </aside>
        <div className="max-desktop:mt-4 desktop:col-start-1 desktop:row-start-1">
          <VisitFacts appointment={a} />
          <Documents appointment={a} />
        </div>
      </TwoColumns>
    </Page>
  );
}

const VisitFacts = ({ appointment: a }: Pick<Data, "appointment">) => (
  <section className="card mt-7" aria-labelledby="h-visit">
    <h2 id="h-visit" className="mb-3">
      {m.appointments_visit()}
    </h2>
    <Facts
      items={[
        [m.appointments_when(), `${formatDay(a.date)}, ${visitTimeWord(a)}`],
        [m.appointments_reason(), a.reason || m.appointments_not_specified()],
        [m.appointments_priority(), m.appointments_priority_normal()],
        a.patientPhone !== "" && [
          m.appointments_phone(),
          <a key="p" className="num" href={`tel:${a.patientPhone}`}>
            {formatPhone(a.patientPhone)}
          </a>,
        ],
        a.fee !== null && [
          m.payments_fee(),
          a.discount > 0
            ? m.payments_fee_shared({
                fee: formatRupees(a.fee),
                patient: formatRupees(a.fee - a.discount),
                nadi: formatRupees(a.discount),
              })
            : formatRupees(a.fee),
        ],
        [m.appointments_blood_group(), a.bloodGroup ?? m.appointments_not_known()],
      ]}
    />
    <h3 className="mt-4">{m.appointments_history()}</h3>
    <p className="whitespace-pre-line">{a.medicalHistory ?? <span className="text-ink-soft">{m.appointments_history_none()}</span>}</p>
    <h3 className="mt-4">{m.appointments_note()}</h3>
    <p className="whitespace-pre-line">{a.patientNote ?? <span className="text-ink-soft">{m.appointments_note_none()}</span>}</p>
  </section>
);

const Documents = ({ appointment: a }: Pick<Data, "appointment">) => (
  <section className="card mt-7" aria-labelledby="h-documents">
    <SectionHead>
      <h2 id="h-documents">{m.appointments_documents()}</h2>
      <span className="text-sm text-ink-soft">{m.appointments_file_count({ count: a.documents.length })}</span>
    </SectionHead>
    {a.documents.length === 0 ? (
      <p className="text-ink-soft">{a.status === "cancelled" ? m.appointments_documents_closed() : m.appointments_documents_none()}</p>
    ) : (
      <ul className={documentList}>
        {a.documents.map((document) => (
          <Attached key={document.fileId} document={document} />
        ))}
      </ul>
    )}
  </section>
);

/** Link to the next patient of the day. The filled button once this visit is closed. */
function NextPatient({ next, after }: { next: Route.ComponentProps["loaderData"]["next"]; after: Actionable }) {
  if (!next) return <p className="text-sm text-ink-soft text-center mt-2">{m.appointments_next_patient_none()}</p>;
  const words = next.time < after.time ? m.appointments_next_patient_passed : m.appointments_next_patient;
  const closed = after.status === "completed" || after.status === "cancelled";
  return (
    <p className="foot">
      <LinkButton
        to={href("/doctor/patient/:id", { id: next.id })}
        full
        iconEnd="arrow-right"
        {...(closed ? {} : { variant: "second" as const })}
      >
        {words({ time: visitTimeWord(next), name: next.patientName })}
      </LinkButton>
    </p>
  );
}

/** A picture opens in the browser. A PDF is a download, shown with the name and size of its file. */
function Attached({ document }: { document: DoctorDocument }) {
  const file = href("/files/:id", { id: document.fileId });
  const saved = `${file}?download=1`;
  const isPicture = document.mediaType === "image/jpeg";
  const ofName = isPicture ? m.appointments_document_view_of : m.appointments_document_download_of;
  return (
    <li className={documentRow}>
      <DocumentLink to={isPicture ? file : saved} icon={isPicture ? "image" : "file-text"}>
        <b>{recordTypeWord(document.recordType)}</b> <span className="sr-only">{ofName({ name: document.description })}</span>
      </DocumentLink>
      <div className="grow">
        <h3 className="mb-1">{document.description}</h3>
        {!isPicture && (
          <p className="text-sm text-ink-soft">
            {m.appointments_document_file({ name: document.fileName, size: sizeWord(document.byteSize) })}
          </p>
        )}
        <p className="text-sm text-ink-soft">{m.appointments_document_uploaded({ at: formatInstant(new Date(document.uploadedAt)) })}</p>
        <p className="row flex-wrap mt-2">
          {isPicture && (
            <LinkButton to={file} variant="second" size="sm" icon="eye">
              {m.appointments_document_view()}
            </LinkButton>
          )}
          <LinkButton to={saved} variant={isPicture ? "quiet" : "second"} size="sm">
            {m.appointments_document_download()}
          </LinkButton>
        </p>
      </div>
    </li>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_patient_title() }) }];

/** Spec 000 §2: an appointment that does not exist or is another doctor's. The error page of the frame shows other errors. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <Page
      title={m.appointments_patient_title()}
      titleAs="p"
      back={{ to: href("/doctor/appointments"), label: m.appointments_doctor_title() }}
    >
      <title>{m.ui_title({ page: m.appointments_no_data() })}</title>
      <section className="card mx-auto max-w-lg space-y-4">
        <h1>{m.appointments_no_data()}</h1>
        <p className="text-ink-soft">{m.appointments_no_data_text()}</p>
        <LinkButton to={href("/doctor/appointments")} icon="arrow-left">
          {m.appointments_go_back()}
        </LinkButton>
      </section>
    </Page>
  );
}
