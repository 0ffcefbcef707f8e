import { href } from "react-router";
import { KeywordForm } from "#app/domains/messages/keywords/components/keyword-form.tsx";
import { KeywordSchema } from "#app/domains/messages/keywords/keyword.schema.ts";
import { getOwnKeyword, setOwnKeyword } from "#app/domains/messages/keywords/keywords.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/keyword.ts";

/** Returns the practice whose word the doctor chooses. @throws DomainError("not-found") */
async function ownOf({ context, params }: Pick<Route.LoaderArgs, "context" | "params">) {
  if (!env().hasConversations) throw new DomainError("not-found");
  return getOwnKeyword(actorCtxOf(context), params.id);
}

export const loader = load((args: Route.LoaderArgs) => ownOf(args));

export async function action({ request, ...args }: Route.ActionArgs) {
  const { practiceId } = await orRefuse(() => ownOf(args));
  return submitForm(request, KeywordSchema, async ({ keyword }) => {
    await setOwnKeyword(actorCtxOf(args.context), { practiceId, keyword });
    return redirectWithToast(href("/doctor/practices/:id", { id: practiceId }), m.keyword_saved());
  });
}

/** The word that starts a booking with the doctor by message. */
export default function PracticeKeyword({ loaderData: own, actionData }: Route.ComponentProps) {
  return (
    <Page
      title={m.keyword_own_title()}
      back={{ to: href("/doctor/practices/:id", { id: own.practiceId }), label: m.practices_change() }}
      className="space-y-4"
    >
      <p>{m.keyword_own_about()}</p>
      <KeywordForm own={own} label={m.keyword_own_label()} result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.keyword_own_title() }) }];
