import { getDoctorHub } from "#app/domains/doctors/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { Menu } from "#app/ui/nav.tsx";
import { Disc } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/profile.ts";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return { id: ctx.actor.userId, ...(await getDoctorHub(ctx)) };
});

export default function DoctorProfile({ loaderData }: Route.ComponentProps) {
  const { id, name, specialization, fee, about } = loaderData;
  return (
    <Page title={m.ui_place_profile()} back={{ to: "/doctor-dashboard" }}>
      <div className="row top-al">
        <Disc id={id} name={name} size="lg" />
        <div className="grow">
          <h2>{name}</h2>
          <p className="soft">{specialization}</p>
          <p className="num">{fee === null ? m.doctors_fee_unknown() : m.appointments_fee_of({ fee: formatRupees(fee) })}</p>
        </div>
      </div>
      {about && <p className="section tight pre">{about}</p>}
      <Menu label={m.ui_place_profile()} items={[{ to: "/logout", label: m.accounts_log_out(), icon: "log-out" }]} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_place_profile() }) }];
