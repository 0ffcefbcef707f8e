import { href } from "react-router";
import { doctorTerms } from "#app/domains/guidance/help/terms.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/terms.ts";

export const loader = loadOwn((ctx) => ({ today: todayInIndia(ctx.now) }));

export default function Terms({ loaderData }: Route.ComponentProps) {
  return (
    <Page title={m.terms_title()} back={{ to: href("/doctor/profile") }}>
      <p>{m.terms_welcome()}</p>
      {/* Spec 000 §2: today's date. */}
      <p className="text-sm text-ink-soft mt-2">{m.terms_updated({ date: formatDate(loaderData.today) })}</p>
      {doctorTerms().map(({ id, title, text }) => (
        <section key={id} id={id} className="mt-7" aria-labelledby={`h-${id}`}>
          <h2 id={`h-${id}`}>{title}</h2>
          <p className="mt-2">{text}</p>
        </section>
      ))}
      <p className="mt-7 alone">
        <AnyLink to={href("/doctor/help")}>{m.terms_contact()}</AnyLink>
      </p>
      <p className="mt-7 alone">
        <AnyLink to={href("/accessibility")}>{m.access_title()}</AnyLink>
      </p>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.terms_title() }) }];
