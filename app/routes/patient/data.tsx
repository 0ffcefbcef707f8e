import { href } from "react-router";
import { OwnConsent } from "#app/domains/platform/accounts/components/own-consent.tsx";
import { getOwnConsent } from "#app/domains/platform/accounts/consent.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Halves } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/data.ts";

export const loader = loadOwn(async (ctx) => ({ consent: await getOwnConsent(ctx) }));

export default function OwnData({ loaderData: { consent } }: Route.ComponentProps) {
  return (
    <Page wide title={m.data_title()} back={{ to: href("/patient/profile") }}>
      <p className="mb-3">{m.data_intro()}</p>
      <Halves>
        <div>
          <section className="card mt-7" aria-labelledby="h-opened">
            <h2 id="h-opened">{m.data_opened()}</h2>
            <p className="text-ink-soft mb-3">{m.data_opened_text()}</p>
            <LinkButton to={href("/patient/data/opened")} variant="second" full icon="eye">
              {m.data_opened()}
            </LinkButton>
          </section>
          <section className="card mt-7" aria-labelledby="h-download">
            <h2 id="h-download">{m.data_download()}</h2>
            <p className="text-ink-soft mb-3">{m.data_download_text()}</p>
            <LinkButton to={href("/patient/data/download")} full icon="download">
              {m.data_download()}
            </LinkButton>
          </section>
        </div>
        <div>
          <section className="card mt-7" aria-labelledby="h-delete">
            <h2 id="h-delete">{m.data_delete()}</h2>
            <p className="text-ink-soft mb-3">{m.data_delete_text()}</p>
            <LinkButton to={href("/patient/data/delete")} variant="danger" full icon="trash-2">
              {m.data_delete()}
            </LinkButton>
          </section>
          <OwnConsent consent={consent} withdraw={m.consent_own_withdraw()} />
        </div>
      </Halves>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.data_title() }) }];
