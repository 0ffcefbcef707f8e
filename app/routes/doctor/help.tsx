import { href } from "react-router";
import { HelpQuestions } from "#app/domains/guidance/help/components/help-questions.tsx";
import { findFaqs } from "#app/domains/guidance/help/faqs.ts";
import { getFaqFacts, getSupport } from "#app/domains/guidance/help/support.server.ts";
import { OwnSupport } from "#app/domains/platform/support/components/own-support.tsx";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/help.ts";

export const loader = load(({ url }: Route.LoaderArgs) => {
  const text = (url.searchParams.get("q") ?? "").slice(0, 100);
  return { text, facts: getFaqFacts(), support: getSupport() };
});

export default function Help({ loaderData: { text, facts, support } }: Route.ComponentProps) {
  return (
    <Page title={m.help_title()} back={{ to: href("/doctor/profile") }}>
      <HelpQuestions
        here={href("/doctor/help")}
        faqs={findFaqs("doctor", text, facts)}
        text={text}
        support={support}
        placeholder={m.help_search_placeholder()}
        none={m.help_faqs_none()}
      />
      {!text && <OwnSupport to={href("/account/support")} />}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.help_title() }) }];
