import { href, Link } from "react-router";
import { load } from "#app/http/load.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { FloatingLink, LinkButton } from "#app/ui/button.tsx";
import { Dialog, DialogClose, dialogOpener } from "#app/ui/dialog.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { NoNetworkDialog } from "#app/ui/no-network.tsx";
import { Leafy } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/choose-role.ts";

export const handle: PageHandle = { session: false, cache: 300 };

const SOS = "emergency";

export const loader = load(() => ({ origin: env().appUrl.origin }));

export default function ChooseRolePage() {
  return (
    <SplitPage drawing="care" tagline={m.common_tagline()} float={<Emergency />}>
      <h1>{m.common_role_title()}</h1>
      <p className="text-ink-soft">{m.common_role_prompt()}</p>
      <div className="*:min-w-0 grid gap-3 mt-5">
        <Role to={href("/dual-patient")} icon="heart-pulse" name={m.common_role_patient()} hint={m.common_role_patient_hint()} />
        <Role to={href("/dual-doctor")} icon="stethoscope" name={m.common_role_doctor()} hint={m.common_role_doctor_hint()} />
      </div>
      <p className="mt-5">
        <LinkButton to={href("/find-a-doctor")} variant="second" full icon="search">
          {m.front_first()}
        </LinkButton>
        <span className="mt-1 block text-center text-sm text-ink-soft">{m.front_first_hint()}</span>
      </p>
    </SplitPage>
  );
}

function Role({ to, icon, name, hint }: { to: string; icon: IconName; name: string; hint: string }) {
  return (
    <Link
      className="card flex min-h-26 flex-wrap items-center gap-4 border-[1.5px] border-line-strong no-underline hover:border-brand hover:bg-brand-soft"
      to={to}
    >
      <Leafy icon={icon} large />
      <span className="grow">
        <b className="block text-lg">{name}</b> <span className="block text-sm text-ink-soft">{hint}</span>
      </span>
      <Icon name="chevron-right" />
    </Link>
  );
}

function Emergency() {
  return (
    <aside aria-label={m.ui_sos_more()}>
      <FloatingLink id={dialogOpener(SOS)} to={`#${SOS}`} variant="sos" size="lg" icon="siren">
        {m.ui_sos()}
        <span className="sr-only"> {m.ui_sos_more()}</span>
      </FloatingLink>
      <Dialog id={SOS} title={m.emergency_dialog_title()}>
        <LinkButton to="tel:108" variant="sos" size="lg" full icon="ambulance">
          {m.emergency_dialog_108()}
        </LinkButton>
        <LinkButton to="tel:112" variant="danger" size="lg" full icon="phone">
          {m.emergency_dialog_112()}
        </LinkButton>
        <p className="text-sm">{m.emergency_dialog_find()}</p>
        <LinkButton to={href("/patient/emergency-contact")} reloadDocument variant="second" full icon="map-pin">
          {m.emergency_dialog_call()}
        </LinkButton>
        <p className="text-sm">{m.emergency_dialog_warning()}</p>
        <p className="text-sm text-ink-soft">{m.emergency_dialog_note()}</p>
        <DialogClose dialog={SOS} variant="quiet">
          {m.common_cancel()}
        </DialogClose>
      </Dialog>
      <NoNetworkDialog />
    </aside>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  publicPage({ title: m.common_role_prompt(), description: m.common_tagline(), url: `${loaderData?.origin ?? ""}/choose-role` });
