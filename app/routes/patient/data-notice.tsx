import { href } from "react-router";
import { whenWord } from "#app/domains/booking/appointments/proposal-times.ts";
import { listClinicsWithMe } from "#app/domains/clinic/imports/register.server.ts";
import { listBookedForMe } from "#app/domains/privacy/own-data/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { safePath } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/data-notice.ts";

export const loader = loadOwn(async (ctx, { url }: Route.LoaderArgs) => ({
  next: safePath(url.searchParams.get("next"), href("/patient-dashboard")),
  booked: await listBookedForMe(ctx),
  clinics: await listClinicsWithMe(ctx),
}));

/** What a clinic stored about a phone before its owner first logged in. Shown after that login. */
export default function DataNotice({ loaderData }: Route.ComponentProps) {
  const { next, booked, clinics } = loaderData;
  return (
    <Page title={m.caller_data_title()} back={{ to: next }}>
      <p className="mb-3">{m.caller_data_intro()}</p>
      {booked.length > 0 && (
        <ul className="space-y-4 mb-3">
          {booked.map((visit) => (
            <Card as="li" key={visit.id}>
              <p>
                <AnyLink to={href("/patient/appointments/:id", { id: visit.id })}>{whenWord(visit)}</AnyLink>
              </p>
              <p>{m.caller_data_visit({ doctor: visit.doctor, patient: visit.patient })}</p>
              {visit.place && <p className="text-ink-soft">{visit.place}</p>}
            </Card>
          ))}
        </ul>
      )}
      {clinics.length > 0 && <p className="mb-3">{m.import_notice_clinics({ names: clinics.join(", ") })}</p>}
      <section className="mt-7">
        <h2>{m.caller_data_stored()}</h2>
        <p>{m.caller_data_stored_text()}</p>
      </section>
      <section className="mt-7">
        <h2>{m.caller_data_seen()}</h2>
        <p>{m.caller_data_seen_text()}</p>
      </section>
      <section className="mt-7">
        <h2>{m.caller_data_yours()}</h2>
        <p>{m.caller_data_yours_text()}</p>
      </section>
      <div className="mt-4 grid gap-2.5">
        <LinkButton to={next}>{m.caller_data_continue()}</LinkButton>
        <LinkButton to={href("/patient/data")} variant="second">
          {m.caller_data_manage()}
        </LinkButton>
        <LinkButton to={href("/patient/data/delete")} variant="quiet">
          {m.data_delete()}
        </LinkButton>
      </div>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.caller_data_title() }) }];
