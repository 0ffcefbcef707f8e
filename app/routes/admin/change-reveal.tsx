import { href } from "react-router";
import { RevealSchema } from "#app/domains/credentials/cases/case-decision.schema.ts";
import { RevealPage, SHOWN_FOR } from "#app/domains/credentials/cases/components/reveal-page.tsx";
import { getChange, revealChangedAccount } from "#app/domains/credentials/profile-changes/change-queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuardedForm, unsentForm } from "#app/http/proof.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import type { Route } from "./+types/change-reveal.ts";

/** Hides the number after a while, also without JavaScript. */
export const handle: PageHandle = {
  refresh: (change, answer) =>
    answer && typeof answer === "object" && "value" in answer ? `${SHOWN_FOR};url=../${(change as { id: string }).id}` : null,
};

export const middleware = [requireFreshProof("reveal-changed-account")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const change = await getChange(ctx, params.id);
  if (change.status !== "pending" || change.after.accountChanged !== "yes") throw new DomainError("not-found");
  return { id: change.id, doctor: change.doctor, last4: change.after.accountLast4 ?? "", unsent: await unsentForm({ context, request }) };
});

/** Returns the number in this response only. Responses with a session have `no-store`. */
export async function action({
  context,
  params,
  request,
}: Route.ActionArgs): Promise<{ value: string } | Awaited<ReturnType<typeof submitGuardedForm>>> {
  let value: string | null = null;
  const answer = await submitGuardedForm({ context, request }, RevealSchema, async ({ reason }) => {
    value = await revealChangedAccount(actorCtxOf(context), { id: params.id, reason });
    return new Response(null);
  });
  return value === null ? answer : { value };
}

export default function ChangeReveal({ loaderData, actionData }: Route.ComponentProps) {
  const { id, doctor, last4, unsent } = loaderData;
  return (
    <RevealPage
      number="account"
      doctor={doctor}
      last4={last4}
      erasedAt={null}
      back={href("/admin/changes/:id", { id })}
      answer={actionData}
      unsent={unsent}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.cases_reveal_button() }) }];
