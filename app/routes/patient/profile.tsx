import { href, useNavigation } from "react-router";
import { getPatientProfile } from "#app/domains/patients/profile/queries.server.ts";
import { LOGOUT_DIALOG, LogoutDialog } from "#app/domains/platform/accounts/components/logout-dialog.tsx";
import { loadOwn } from "#app/http/load.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import type { IconName } from "#app/ui/icon.tsx";
import { Menu } from "#app/ui/members/menu.tsx";
import { Disc } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/profile.ts";

export const loader = loadOwn(async (ctx) => {
  const { name, phone, photoFileId } = await withUnavailableMessage(m.profile_fetch_failed, () => getPatientProfile(ctx));
  return { id: ctx.actor.userId, name, phone, photoFileId, menu: menu(), opening: m.profile_loading() };
});

/** Created on the server: on the page it would load the texts of all linked modules. */
function menu(): { to: string; label: string; icon: IconName }[] {
  return [
    { to: href("/patient/profile/edit"), label: m.profile_edit(), icon: "pencil" },
    { to: href("/patient/notifications"), label: m.ui_notifications(), icon: "bell" },
    { to: href("/patient/chat"), label: m.assistant_chat_with_ai(), icon: "message-circle" },
    { to: href("/patient/payments"), label: m.money_payments(), icon: "indian-rupee" },
    { to: href("/patient/wallet"), label: m.wallet_title(), icon: "wallet" },
    { to: href("/favourites"), label: m.favourites_title(), icon: "heart" },
    { to: href("/patient/family"), label: m.family_title(), icon: "users" },
    { to: href("/patient/records"), label: m.records_title(), icon: "stethoscope" },
    { to: href("/patient/data"), label: m.data_title(), icon: "file-badge" },
    { to: href("/patient/settings"), label: m.settings_title(), icon: "settings" },
    { to: href("/patient/help"), label: m.help_title(), icon: "headset" },
    { to: href("/patient/terms"), label: m.terms_title(), icon: "file-text" },
    { to: href("/accessibility"), label: m.access_title(), icon: "eye" },
  ];
}

export default function PatientProfile({ loaderData }: Route.ComponentProps) {
  const { id, name, phone, photoFileId, menu: entries, opening } = loaderData;
  const coming = useNavigation().location?.pathname;
  return (
    <Page wide title={m.ui_place_profile()} back={{ to: href("/patient-dashboard") }}>
      <div className="min-[64rem]:grid min-[64rem]:grid-cols-[18rem_minmax(0,1fr)] min-[64rem]:content-start min-[64rem]:items-start min-[64rem]:gap-8 min-[64rem]:[&>nav]:m-0">
        <div className="row flex-wrap wide:flex-col wide:items-start">
          <Disc id={id} name={name ?? ""} photo={photoFileId && href("/files/:id", { id: photoFileId })} size="lg" />
          <div className="grow">
            <h2>{name ?? m.patients_add_name()}</h2>
            <p className="text-ink-soft num">{phone ? formatPhone(phone) : m.patients_add_phone()}</p>
          </div>
        </div>
        <Menu
          label={m.ui_place_profile()}
          items={[
            ...entries.map((entry) => ({ ...entry, busy: entry.to === coming && entry.to.endsWith("/edit") && opening })),
            { to: href("/logout"), label: m.accounts_log_out(), icon: "log-out" as const, dialog: LOGOUT_DIALOG },
          ]}
        />
      </div>
      <LogoutDialog />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_place_profile() }) }];
