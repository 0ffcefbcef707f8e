import { ContactCards } from "#app/domains/help/components/contact-cards.tsx";
import { FaqList } from "#app/domains/help/components/faq-list.tsx";
import { findFaqs } from "#app/domains/help/faqs.ts";
import { getFaqFacts, getSupport } from "#app/domains/help/support.server.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Finder } from "#app/ui/finder.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/help.ts";

export const loader = load(({ request }: Route.LoaderArgs) => {
  const text = (new URL(request.url).searchParams.get("q") ?? "").slice(0, 100);
  return { text, faqs: findFaqs("doctor", text, getFaqFacts()), support: getSupport() };
});

export default function Help({ loaderData }: Route.ComponentProps) {
  const { text, faqs, support } = loaderData;
  const contact = (
    <section className="section" aria-labelledby="h-contact">
      <h2 id="h-contact" className="mb">
        {m.help_contact()}
      </h2>
      <ContactCards support={support} />
    </section>
  );
  return (
    <Page title={m.help_title()} back={{ to: "/doctor/profile" }}>
      <Finder
        action="/doctor/help"
        label={m.help_search()}
        placeholder={m.help_search_placeholder()}
        text={text}
        button={m.help_search_do()}
        clear={{ to: "/doctor/help", label: m.help_search_clear() }}
      />
      {/* Who searches sees what was found first. */}
      {!text && contact}
      <section className="section" aria-labelledby="h-faqs">
        <h2 id="h-faqs" className="mb">
          {m.help_faqs()}
        </h2>
        {faqs.length ? (
          <FaqList faqs={faqs} />
        ) : (
          <p className="soft" role="status">
            {m.help_faqs_none()}
          </p>
        )}
      </section>
      {text && contact}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.help_title() }) }];
