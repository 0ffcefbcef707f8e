import { href } from "react-router";
import { accessibilityParts, STATEMENT_DATE } from "#app/domains/guidance/help/accessibility.ts";
import { ContactCards } from "#app/domains/guidance/help/components/contact-cards.tsx";
import { getSupport } from "#app/domains/guidance/help/support.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { openPage } from "#app/http/public-page.ts";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import type { PageHandle } from "#app/ui/document.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/accessibility.ts";

export const handle = { cache: 300 } satisfies PageHandle;

export const loader = load(({ context }: Route.LoaderArgs) => ({
  support: getSupport(),
  visitor: ctxOf(context).actor === null,
  origin: env().appUrl.origin,
}));

export default function Accessibility({ loaderData }: Route.ComponentProps) {
  return (
    <Page title={m.access_title()} back={{ to: href("/patient/help"), label: m.help_title() }}>
      <p>{m.access_aim()}</p>
      <p className="text-sm text-ink-soft mt-2">{m.access_date({ date: formatDate(STATEMENT_DATE) })}</p>
      {accessibilityParts().map(({ id, title, items }) => (
        <section key={id} className="mt-7" aria-labelledby={`h-${id}`}>
          <h2 id={`h-${id}`}>{title}</h2>
          <ul className="space-y-4 mt-2">
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </section>
      ))}
      <section className="mt-7" aria-labelledby="h-report">
        <h2 id="h-report">{m.access_report()}</h2>
        <p className="mt-2 mb-3">{m.access_report_text()}</p>
        <ContactCards support={loaderData.support} />
      </section>
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  openPage(loaderData, { title: m.access_title(), description: m.access_description(), path: href("/accessibility") });
