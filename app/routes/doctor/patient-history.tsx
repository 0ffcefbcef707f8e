import { href } from "react-router";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { getPatientOfDoctor } from "#app/domains/clinic/patients/queries.server.ts";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import { sharesRecords } from "#app/domains/visit/sharing/shared-records.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDay, formatTime } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { DateLeaf } from "#app/ui/members/date-leaf.tsx";
import { Card, Disc, GoLink, Meta, MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/patient-history.ts";

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  const history = await getPatientOfDoctor(ctx, { id: params.id, page });
  return { id: params.id, page, shares: await sharesRecords(ctx, params.id), ...history };
});

type Row = Route.ComponentProps["loaderData"]["rows"][number];

/** The appointments of one patient with this doctor. Documents and history are on the page of each appointment. */
export default function PatientHistory({ loaderData }: Route.ComponentProps) {
  const { id, page, shares, patient, rows, hasMore } = loaderData;
  return (
    <Page wide title={m.agenda_patient()} titleAs="p" back={{ to: href("/doctor/patients"), label: m.agenda_patients() }}>
      <div className="row flex-wrap items-start">
        <Disc id={patient.id} name={patient.patientName} size="lg" />
        <div className="grow">
          <h1>{patient.patientName}</h1>
          <p className="text-ink-soft">{bookedPatientWord(patient)}</p>
        </div>
        {patient.patientPhone && (
          <LinkButton to={`tel:${patient.patientPhone}`} variant="second" size="sm" icon="phone" className="num">
            {formatPhone(patient.patientPhone)}
          </LinkButton>
        )}
      </div>
      {shares && (
        <p className="mt-4">
          <LinkButton to={href("/doctor/patients/:id/records", { id })} variant="second" icon="file-text">
            {m.sharing_all()}
          </LinkButton>
        </p>
      )}
      <section className="mt-7" aria-labelledby="history">
        <h2 id="history" className="mb-3">
          {m.agenda_patient_history()}
        </h2>
        <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
          {rows.map((row) => (
            <Visit key={row.id} row={row} />
          ))}
        </div>
        <Pages page={page} hasMore={hasMore} to={(page) => listAddress(href("/doctor/patients/:id", { id }), { page })} />
      </section>
    </Page>
  );
}

const Visit = ({ row }: { row: Row }) => (
  <Card>
    <div className="row items-start">
      <DateLeaf date={row.date} />
      <div className="grow">
        <h3>
          <GoLink to={href("/doctor/patient/:id", { id: row.id })}>
            {formatDay(row.date)}, {formatTime(row.time)}
          </GoLink>
        </h3>
        <p>{row.reason || m.appointments_not_specified()}</p>
        <MetaLine className="mt-2">
          <StatusBadge status={row.status} />
          {row.status !== "cancelled" && row.records > 0 && (
            <Meta icon="paperclip">{m.appointments_documents_count({ count: row.records })}</Meta>
          )}
        </MetaLine>
      </div>
    </div>
  </Card>
);

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData?.patient.patientName ?? m.agenda_patient() }) },
];
