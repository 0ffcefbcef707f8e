import { href } from "react-router";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { getVisitToHelp } from "#app/domains/oversight/visits/help-with-visit.server.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { formatDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/visit.ts";

export const loader = load(async ({ context, params }: Route.LoaderArgs) => getVisitToHelp(actorCtxOf(context), params.id));

/** An appointment without health data, with the ways to change it for its patient or doctor. */
export default function AdminVisit({ loaderData: visit }: Route.ComponentProps) {
  const { id } = visit;
  return (
    <Page title={m.admin_visit_title()} back={{ to: href("/admin/appointments"), label: m.admin_visit_back() }}>
      <section className="card mt-4" aria-label={m.admin_visit_title()}>
        <Facts
          items={[
            [m.admin_find_when(), `${formatDay(visit.date)}, ${visitTimeWord(visit)}`],
            [
              m.admin_find_patient(),
              <AnyLink key="p" to={href("/admin/users/:id", { id: visit.patientId })}>
                {visit.patientName}
              </AnyLink>,
            ],
            [
              m.admin_find_doctor(),
              <AnyLink key="d" to={href("/admin/doctors/:id", { id: visit.doctorId })}>
                {visit.doctorName}
              </AnyLink>,
            ],
            [m.cases_col_hospital(), visit.hospitalName],
            [m.admin_find_reference(), visit.reference && <span key="r">{visit.reference}</span>],
            [m.cases_col_status(), <StatusBadge key="s" status={visit.status} missed={visit.missed} />],
          ]}
        />
      </section>
      {visit.changeable ? (
        <section className="card mt-4" aria-labelledby="h-help">
          <h2 id="h-help">{m.admin_visit_help()}</h2>
          <p className="text-sm text-ink-soft mb-3">{m.admin_visit_help_text()}</p>
          <p className="row flex-wrap">
            <LinkButton to={href("/admin/appointments/:id/move", { id })} icon="calendar-clock">
              {m.admin_visit_move()}
            </LinkButton>
            <LinkButton to={href("/admin/appointments/:id/cancel", { id })} variant="danger" icon="calendar-x">
              {m.admin_visit_cancel()}
            </LinkButton>
          </p>
        </section>
      ) : (
        <Note className="mt-4">{m.admin_visit_closed()}</Note>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_visit_title() }) }];
