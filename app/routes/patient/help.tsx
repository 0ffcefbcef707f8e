import { href } from "react-router";
import { HelpQuestions } from "#app/domains/guidance/help/components/help-questions.tsx";
import { findFaqs } from "#app/domains/guidance/help/faqs.ts";
import { getFaqFacts, getSupport } from "#app/domains/guidance/help/support.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { openPage } from "#app/http/public-page.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Facts, Halves } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/help.ts";

export const handle = { cache: 60 } satisfies PageHandle;

export const loader = load(({ context, url }: Route.LoaderArgs) => {
  const text = (url.searchParams.get("q") ?? "").slice(0, 100);
  const { actor } = ctxOf(context);
  const who = { visitor: actor === null, patient: actor?.role === "patient" };
  return { text, facts: getFaqFacts(), support: getSupport(), ...who, origin: env().appUrl.origin };
});

export default function Help({ loaderData: { text, facts, support, visitor, patient } }: Route.ComponentProps) {
  return (
    <Page wide title={m.help_title()} back={{ to: visitor ? href("/choose-role") : href("/patient/profile") }}>
      <Halves>
        <div>
          <HelpQuestions
            here={href("/patient/help")}
            faqs={findFaqs("patient", text, facts)}
            text={text}
            support={support}
            placeholder={m.help_patient_placeholder()}
            none={m.help_none_matching()}
          />
        </div>
        <div>
          <Hours phone={Boolean(support.phone)} />
          <section className="mt-7" aria-labelledby="h-office">
            <h2 id="h-office" className="mb-3">
              {m.help_office()}
            </h2>
            <p>{support.address ?? m.help_office_none()}</p>
          </section>
          <div className="mt-7 space-y-4">
            {support.phone && (
              <LinkButton to={`tel:${support.phone}`} full icon="phone">
                {m.help_call()}
              </LinkButton>
            )}
            <LinkButton to={href("/patient/ai-chat")} variant="second" full icon="message-circle">
              {m.help_chat()}
            </LinkButton>
            <LinkButton to={href("/accessibility")} variant="quiet" full>
              {m.access_title()}
            </LinkButton>
            {patient && (
              <LinkButton to={href("/patient/support")} variant="second" full icon="send">
                {m.support_place()}
              </LinkButton>
            )}
            {!visitor && (
              <LinkButton to={href("/patient/profile")} variant="quiet" full>
                {m.help_back()}
              </LinkButton>
            )}
          </div>
        </div>
      </Halves>
    </Page>
  );
}

const Hours = ({ phone }: { phone: boolean }) => (
  <section className="mt-7" aria-labelledby="h-hours">
    <h2 id="h-hours" className="mb-3">
      {m.help_hours()}
    </h2>
    <p className="text-ink-soft mb-3">{phone ? m.help_hours_phone() : m.help_hours_office()}</p>
    <Facts
      items={[
        [m.help_hours_week(), m.help_hours_week_value()],
        [m.help_hours_saturday(), m.help_hours_saturday_value()],
        [m.help_hours_sunday(), m.help_hours_sunday_value()],
      ]}
    />
  </section>
);

export const meta: Route.MetaFunction = ({ loaderData }) =>
  openPage(loaderData, { title: m.help_title(), description: m.help_description(), path: href("/patient/help") });
