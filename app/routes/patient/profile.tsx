import { getPatientProfile } from "#app/domains/patients/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { Menu } from "#app/ui/nav.tsx";
import { Disc } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/profile.ts";

export const middleware = [requireRole("patient")];

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return { id: ctx.actor.userId, ...(await getPatientProfile(ctx)) };
});

export default function PatientProfile({ loaderData }: Route.ComponentProps) {
  const { id, name, phone } = loaderData;
  return (
    <Page title={m.ui_place_profile()} back={{ to: "/patient-dashboard" }}>
      <div className="row">
        <Disc id={id} name={name ?? ""} size="lg" />
        <div className="grow">
          <h2>{name ?? m.patients_add_name()}</h2>
          <p className="soft num">{phone ? formatPhone(phone) : m.patients_add_phone()}</p>
        </div>
      </div>
      <Menu
        label={m.ui_place_profile()}
        items={[
          { to: "/patient/calendar", label: m.appointments_calendar_title(), icon: "calendar-days" },
          { to: "/logout", label: m.accounts_log_out(), icon: "log-out" },
        ]}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_place_profile() }) }];
