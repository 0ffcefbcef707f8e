import { ContactCards } from "#app/domains/help/components/contact-cards.tsx";
import { getSupport } from "#app/domains/help/support.server.ts";
import { patientTerms } from "#app/domains/help/terms.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/terms.ts";

export const middleware = [requireRole("patient")];

export const loader = load(({ context }: Route.LoaderArgs) => ({
  today: todayInIndia(actorCtxOf(context).now),
  support: getSupport(),
}));

export default function Terms({ loaderData }: Route.ComponentProps) {
  const { today, support } = loaderData;
  return (
    <Page title={m.terms_title()} back={{ to: "/patient/profile" }}>
      <p>{m.terms_p_welcome()}</p>
      {/* Spec 001 §2.18: it shows the current date. */}
      <p className="soft small mt">{m.terms_updated({ date: formatDate(today) })}</p>
      {patientTerms().map(({ id, title, text }) => (
        <section key={id} id={id} className="section" aria-labelledby={`h-${id}`}>
          <h2 id={`h-${id}`}>{title}</h2>
          <p className="mt">{text}</p>
        </section>
      ))}
      <section className="section" aria-labelledby="h-contact">
        <h2 id="h-contact">{m.terms_contact_title()}</h2>
        <p className="mt mb">{m.terms_contact_p()}</p>
        <ContactCards support={support} />
      </section>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.terms_title() }) }];
