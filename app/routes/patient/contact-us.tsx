import { getSupport } from "#app/domains/help/support.server.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, Leafy, Meta, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/contact-us.ts";

export const middleware = [requireRole("patient")];

export const loader = load(() => ({ support: getSupport() }));

/** Spec 001 §2.21. The card names who answers the number of this server's configuration, and nobody who does not exist. */
export default function ContactUs({ loaderData }: Route.ComponentProps) {
  const { phone, demo } = loaderData.support;
  return (
    <Page title={m.own_contact_title()} back={{ to: "/patient/profile" }}>
      <Card>
        <div className="row top-al">
          <Leafy icon="headset" />
          <div className="grow stack-s">
            <h2>{m.own_contact_agent()}</h2>
            <p className="soft">{m.own_contact_agent_text()}</p>
            <p className="meta">
              <Meta icon="clock">
                <span className="vh">{m.own_contact_hours_label()}: </span>
                {m.own_contact_hours()}
              </Meta>
              {phone && (
                <Meta icon="phone">
                  <span className="num">{formatPhone(phone)}</span>
                </Meta>
              )}
            </p>
          </div>
        </div>
        <div className="stack mt">
          {phone ? (
            <LinkButton to={`tel:${phone}`} full size="lg" icon="phone-call">
              {m.own_contact_call()}
            </LinkButton>
          ) : (
            <Note tone="warn">{m.own_contact_none()}</Note>
          )}
          <LinkButton to="/doctorspages/Cards-data" variant="second" full icon="calendar-plus">
            {m.own_contact_booking()}
          </LinkButton>
        </div>
        {demo && <p className="small soft mt">{m.own_contact_demo()}</p>}
      </Card>
      <p className="section">{m.own_contact_emergency()}</p>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.own_contact_title() }) }];
