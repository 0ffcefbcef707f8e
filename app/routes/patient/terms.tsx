import { href } from "react-router";
import { ContactCards } from "#app/domains/guidance/help/components/contact-cards.tsx";
import { getSupport } from "#app/domains/guidance/help/support.server.ts";
import { patientTerms } from "#app/domains/guidance/help/terms.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { openPage } from "#app/http/public-page.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/terms.ts";

export const handle = { cache: 60 } satisfies PageHandle;

export const loader = load(({ context }: Route.LoaderArgs) => {
  const { now, actor } = ctxOf(context);
  return { today: todayInIndia(now), support: getSupport(), visitor: actor === null, origin: env().appUrl.origin };
});

export default function Terms({ loaderData }: Route.ComponentProps) {
  const { today, support, visitor } = loaderData;
  return (
    <Page title={m.terms_title()} back={{ to: visitor ? href("/choose-role") : href("/patient/profile") }}>
      <p>{m.terms_p_welcome()}</p>
      {/* Spec 001 §2.18: the current date. */}
      <p className="text-sm text-ink-soft mt-2">{m.terms_updated({ date: formatDate(today) })}</p>
      {patientTerms().map(({ id, title, text }) => (
        <section key={id} id={id} className="mt-7" aria-labelledby={`h-${id}`}>
          <h2 id={`h-${id}`}>{title}</h2>
          <p className="mt-2">{text}</p>
        </section>
      ))}
      <section className="mt-7" aria-labelledby="h-contact">
        <h2 id="h-contact">{m.terms_contact_title()}</h2>
        <p className="mt-2 mb-3">{m.terms_contact_p()}</p>
        <ContactCards support={support} />
      </section>
      <p className="mt-7">
        <LinkButton to={href("/accessibility")} variant="quiet" size="sm" className="pl-0">
          {m.access_title()}
        </LinkButton>
      </p>
      <p className="mt-7 text-sm text-ink-soft">
        <LinkButton to="https://www.geonames.org/about.html" variant="quiet" size="sm" className="pl-0">
          {m.terms_place_names()}
        </LinkButton>
      </p>
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  openPage(loaderData, { title: m.terms_title(), description: m.terms_description(), path: href("/patient/terms") });
