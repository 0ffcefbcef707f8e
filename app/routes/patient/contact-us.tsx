import { href } from "react-router";
import { getSupport } from "#app/domains/guidance/help/support.server.ts";
import { OwnSupport } from "#app/domains/platform/support/components/own-support.tsx";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { openPage } from "#app/http/public-page.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Card, Leafy, Meta, MetaLine, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/contact-us.ts";

export const handle = { cache: 60 } satisfies PageHandle;

export const loader = load(({ context }: Route.LoaderArgs) => ({
  support: getSupport(),
  visitor: ctxOf(context).actor === null,
  patient: ctxOf(context).actor?.role === "patient",
  origin: env().appUrl.origin,
}));

/** Spec 001 §2.21. Shows the configured support contact, and no invented person. */
export default function ContactUs({ loaderData }: Route.ComponentProps) {
  const { support, visitor, patient } = loaderData;
  const { phone, demo } = support;
  return (
    <Page title={m.own_contact_title()} back={{ to: visitor ? href("/choose-role") : href("/patient/profile") }}>
      <Card>
        <div className="row items-start">
          <Leafy icon="headset" />
          <div className="grow space-y-1">
            <h2>{m.own_contact_agent()}</h2>
            <p className="text-ink-soft">{m.own_contact_agent_text()}</p>
            <MetaLine>
              <Meta icon="clock">
                <span className="sr-only">{m.own_contact_hours_label()}: </span>
                {m.own_contact_hours()}
              </Meta>
              {phone && (
                <Meta icon="phone">
                  <span className="num">{formatPhone(phone)}</span>
                </Meta>
              )}
            </MetaLine>
          </div>
        </div>
        <div className="space-y-4 mt-2">
          {phone ? (
            <LinkButton to={`tel:${phone}`} full size="lg" icon="phone-call">
              {m.own_contact_call()}
            </LinkButton>
          ) : (
            <Note tone="warn">{m.own_contact_none()}</Note>
          )}
          <LinkButton to={href("/doctorspages/Cards-data")} variant="second" full icon="calendar-plus">
            {m.own_contact_booking()}
          </LinkButton>
        </div>
        {demo && <p className="text-sm text-ink-soft mt-2">{m.own_contact_demo()}</p>}
      </Card>
      {patient && <OwnSupport to={href("/patient/support")} />}
      <p className="mt-7">{m.own_contact_emergency()}</p>
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  openPage(loaderData, { title: m.own_contact_title(), description: m.own_contact_description(), path: href("/patient/contact-us") });
