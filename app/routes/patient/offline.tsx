import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { listComingVisits } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDay, formatInstant } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { DateLeaf } from "#app/ui/members/date-leaf.tsx";
import { OfflinePage } from "#app/ui/offline-page.tsx";
import { Card } from "#app/ui/pieces.tsx";
import type { Route } from "./+types/offline.ts";

/** The page that the service worker stores for offline use until the logout (public/sw.js): the upcoming visits. */
export const handle: PageHandle = { lite: true, alone: true };

/** Most visits, so that the page stays small on slow networks. */
const VISITS = 5;

export const loader = loadOwn(async (ctx) => {
  const visits = await listComingVisits(ctx, VISITS);
  return {
    at: ctx.now,
    visits: visits.map(
      ({
        id,
        date,
        time,
        token,
        expectedTime,
        expected,
        status,
        doctorName,
        patientName,
        hospitalName,
        hospitalPhone,
        hospitalAddress,
      }) => ({
        ...{ id, date, time, token, expectedTime, expected, status, doctorName, patientName, hospitalName, hospitalPhone, hospitalAddress },
      }),
    ),
  };
});

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_offline_title() }) }];

export default function PatientOffline({ loaderData: { at, visits } }: Route.ComponentProps) {
  return (
    <OfflinePage>
      <section className="mt-7 space-y-4" aria-labelledby="h-visits">
        <div>
          <h2 id="h-visits">{m.ui_offline_visits()}</h2>
          <p className="text-sm text-ink-soft">{m.ui_offline_as_of({ at: formatInstant(at) })}</p>
        </div>
        {visits.length === 0 && <p>{m.ui_offline_none()}</p>}
        {visits.map((visit) => (
          <Visit key={visit.id} visit={visit} />
        ))}
      </section>
    </OfflinePage>
  );
}

/** Full dates, because "today" would be wrong tomorrow. */
function Visit({ visit }: { visit: Route.ComponentProps["loaderData"]["visits"][number] }) {
  return (
    <Card>
      <div className="row items-start">
        <DateLeaf date={visit.date} />
        <div className="grow space-y-1">
          <h3>
            {formatDay(visit.date)},{" "}
            <time className="whitespace-normal" dateTime={`${visit.date}T${visit.time}+05:30`}>
              {visitTimeWord(visit)}
            </time>
          </h3>
          <p>{[visit.doctorName, visit.hospitalName].filter(Boolean).join(", ")}</p>
          <p className="text-sm text-ink-soft">{m.appointments_for({ name: visit.patientName })}</p>
          {visit.hospitalAddress && <p className="text-sm text-ink-soft">{visit.hospitalAddress}</p>}
          <p>
            <StatusBadge status={visit.status} />
          </p>
          {visit.hospitalPhone && (
            <LinkButton to={`tel:${visit.hospitalPhone}`} variant="second" size="sm" icon="phone">
              <span className="num">{formatPhone(visit.hospitalPhone)}</span>
            </LinkButton>
          )}
        </div>
      </div>
    </Card>
  );
}
