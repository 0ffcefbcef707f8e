import { href, useNavigation } from "react-router";
import { listOwnChanges } from "#app/domains/credentials/profile-changes/own-profile.server.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { getDoctorHub } from "#app/domains/directory/doctors/queries.server.ts";
import { getClinicAccess } from "#app/domains/places/members/queries.server.ts";
import { LOGOUT_DIALOG, LogoutDialog } from "#app/domains/platform/accounts/components/logout-dialog.tsx";
import { loadOwn } from "#app/http/load.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Menu } from "#app/ui/members/menu.tsx";
import { Disc, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/profile.ts";

export const loader = loadOwn(async (ctx) => {
  const [hub, changes, { clinic }] = await withUnavailableMessage(m.profile_fetch_failed, () =>
    Promise.all([getDoctorHub(ctx), listOwnChanges(ctx), getClinicAccess(ctx)]),
  );
  return { id: ctx.actor.userId, ...hub, clinic, waiting: changes.filter((change) => change.status === "pending").length };
});

export default function DoctorProfile({ loaderData }: Route.ComponentProps) {
  const { id, name, photo, specialization, fee, about, waiting, clinic } = loaderData;
  const coming = useNavigation().location?.pathname;
  const busy = (to: string) => coming === to && m.profile_loading();
  return (
    <Page title={m.ui_place_profile()} back={{ to: href("/doctor-dashboard") }}>
      <div className="row items-start">
        <Disc id={id} name={name} photo={photoPath(photo)} size="lg" />
        <div className="grow">
          <h2>{name || m.profile_no_name()}</h2>
          <p className="text-ink-soft">{specialization ? specialtyWord(specialization) : m.profile_no_specialization()}</p>
          <p className="num">{fee === null ? m.doctors_fee_unknown() : m.appointments_fee_of({ fee: formatRupees(fee) })}</p>
        </div>
      </div>
      <p className={about ? "mt-4 whitespace-pre-line" : "mt-4 text-ink-soft"}>{about || m.profile_no_about()}</p>
      {waiting > 0 && (
        <Note tone="warn" icon="hourglass" className="mt-4">
          <AnyLink className="text-ink" to={`${href("/doctor/profile-view")}#changes`}>
            {waiting === 1 ? m.profile_one_waits() : m.profile_some_wait({ count: String(waiting) })}
          </AnyLink>
        </Note>
      )}
      <Menu
        label={m.ui_place_profile()}
        items={[
          { to: href("/doctor/profile-view"), label: m.profile_view(), icon: "id-card", busy: busy(href("/doctor/profile-view")) },
          { to: href("/doctor/profile/edit"), label: m.profile_edit(), icon: "pencil", busy: busy(href("/doctor/profile/edit")) },
          { to: href("/doctor/queue"), label: m.queue_title(), icon: "list-ordered" },
          { to: href("/doctor/patients"), label: m.agenda_patients(), icon: "users" },
          { to: href("/doctor/waitlist"), label: m.waitlist_title(), icon: "hourglass" },
          { to: href("/doctor/import"), label: m.import_link(), icon: "upload" },
          { to: href("/doctor/takings"), label: m.money_takings(), icon: "indian-rupee" },
          { to: href("/doctor/availability/week"), label: m.week_title(), icon: "clock" },
          { to: href("/doctor/practices"), label: m.practices_title(), icon: "hospital" },
          { to: href("/doctor/clinic"), label: m.practices_own(), icon: "house" },
          { to: href("/doctor/reviews"), label: m.reviews_doctor_title(), icon: "message-circle" },
          ...(clinic ? [{ to: href("/clinic"), label: m.clinic_place(), icon: "hospital" as const }] : []),
          { to: href("/doctor/notifications"), label: m.ui_notifications(), icon: "bell" },
          { to: href("/doctor/ai-chat"), label: m.assistant_chat_with_ai(), icon: "message-circle" },
          { to: href("/doctor/settings"), label: m.settings_title(), icon: "settings" },
          { to: href("/doctor/help"), label: m.help_title(), icon: "headset" },
          { to: href("/doctor/terms"), label: m.terms_title(), icon: "file-text" },
          { to: href("/logout"), label: m.accounts_log_out(), icon: "log-out", dialog: LOGOUT_DIALOG },
        ]}
      />
      <LogoutDialog />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_place_profile() }) }];
