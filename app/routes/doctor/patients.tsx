import { Form, href } from "react-router";
import { listPatientsOfDoctor } from "#app/domains/clinic/patients/queries.server.ts";
import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Page } from "#app/ui/shell.tsx";
import { Line, LineCell, LineLink, Lines, LinesBody, LinesHead } from "#app/ui/staff/lines.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/patients.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { search, page } = listState(request);
  return { search, page, ...(await listPatientsOfDoctor(ctx, { search, page })) };
});

type Row = Route.ComponentProps["loaderData"]["rows"][number];

export default function DoctorPatients({ loaderData }: Route.ComponentProps) {
  const { search, page, rows, hasMore } = loaderData;
  const here = href("/doctor/patients");
  return (
    <Page wide title={m.agenda_patients()}>
      <Search search={search} />
      {search && (
        <p className="row flex-wrap mb-3">
          <span className="grow">{m.appointments_search_for({ text: search })}</span>
          <LinkButton to={here} variant="quiet" size="sm" icon="x">
            {m.appointments_search_clear()}
          </LinkButton>
        </p>
      )}
      {rows.length > 0 ? (
        <Lines
          head={[
            m.appointments_patient(),
            m.appointments_phone(),
            m.agenda_patient_last(),
            m.agenda_patient_next(),
            m.appointments_doctor_title(),
          ].map((name) => (
            <LinesHead key={name} scope="col">
              {name}
            </LinesHead>
          ))}
        >
          <LinesBody>
            {rows.map((row) => (
              <PatientRow key={row.id} row={row} />
            ))}
          </LinesBody>
        </Lines>
      ) : search ? (
        <EmptyState drawing="nothing-found" title={m.agenda_patient_none({ text: search })}>
          {m.agenda_search_none()}
        </EmptyState>
      ) : (
        <EmptyState drawing="no-appointments" title={m.agenda_patients_none()}>
          {m.agenda_patients_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => listAddress(here, { q: search, page })} />
    </Page>
  );
}

const Search = ({ search }: { search: string }) => (
  <search>
    <Form className="row flex-wrap mb-3" action={href("/doctor/patients")} key={search}>
      <label className="search grow">
        <span className="sr-only">{m.appointments_search()}</span>
        <Icon name="search" />
        <input
          className="input"
          type="search"
          name="q"
          defaultValue={search}
          maxLength={100}
          placeholder={m.appointments_search()}
          autoComplete="off"
        />
      </label>
      <Button type="submit" variant="second">
        {m.appointments_search_do()}
      </Button>
    </Form>
  </search>
);

const PatientRow = ({ row }: { row: Row }) => (
  <Line>
    <LineCell first fills>
      <LineLink to={href("/doctor/patients/:id", { id: row.id })} name={row.name}>
        {ageAndSexWord(row.age, row.gender)}
      </LineLink>
    </LineCell>
    <LineCell>
      {row.phone && (
        <LinkButton variant="quiet" size="sm" className="pl-0 num" to={`tel:${row.phone}`}>
          {formatPhone(row.phone)}
        </LinkButton>
      )}
    </LineCell>
    <LineCell>
      <span className="text-ink-soft desktop:hidden">{m.agenda_patient_last()} </span>
      {row.last ? formatDate(row.last) : m.agenda_patient_never()}
    </LineCell>
    <LineCell>
      {row.next && (
        <>
          <span className="text-ink-soft desktop:hidden">{m.agenda_patient_next()} </span>
          <b className="text-base">{formatDate(row.next)}</b>
        </>
      )}
    </LineCell>
    <LineCell>{m.agenda_count({ count: row.appointments })}</LineCell>
  </Line>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.agenda_patients() }) }];
