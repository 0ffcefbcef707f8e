import { href } from "react-router";
import { RevealSchema } from "#app/domains/credentials/cases/case-decision.schema.ts";
import { getCaseHead } from "#app/domains/credentials/cases/case-queries.server.ts";
import { RevealPage, SHOWN_FOR } from "#app/domains/credentials/cases/components/reveal-page.tsx";
import { revealNumber } from "#app/domains/credentials/cases/reveal-number.server.ts";
import { SEALED_NUMBERS, type SealedNumber } from "#app/domains/credentials/identity/sealed-numbers.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuardedForm, unsentForm } from "#app/http/proof.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import type { Route } from "./+types/reveal.ts";

/** Hides the number after a while, also without JavaScript. */
export const handle: PageHandle = {
  refresh: (shown, answer) =>
    answer && typeof answer === "object" && "value" in answer
      ? `${SHOWN_FOR};url=../../${(shown as { doctor: { id: string } }).doctor.id}`
      : null,
};

function numberOf(text: string): SealedNumber {
  const number = SEALED_NUMBERS.find((n) => n === text);
  if (!number) throw new DomainError("not-found");
  return number;
}

export const middleware = [requireFreshProof("reveal-number")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const number = numberOf(params.number);
  const { aadhaarLast4, aadhaarErasedAt, panLast4, accountLast4, ...doctor } = await getCaseHead(ctx, params.id);
  const last4 = { aadhaar: aadhaarLast4, pan: panLast4, account: accountLast4 }[number];
  if (!last4) throw new DomainError("not-found");
  return { number, doctor, last4, erasedAt: number === "aadhaar" ? aadhaarErasedAt : null, unsent: await unsentForm({ context, request }) };
});

/** Returns the number in this response only. Responses with a session have `no-store`. */
export async function action({
  context,
  params,
  request,
}: Route.ActionArgs): Promise<{ value: string } | Awaited<ReturnType<typeof submitGuardedForm>>> {
  const number = await orRefuse(async () => numberOf(params.number));
  let value: string | null = null;
  const answer = await submitGuardedForm({ context, request }, RevealSchema, async ({ reason }) => {
    value = await revealNumber(actorCtxOf(context), { doctorId: params.id, number, reason });
    return new Response(null);
  });
  return value === null ? answer : { value };
}

export default function Reveal({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { number, doctor, last4, erasedAt, unsent } = loaderData;
  const admin = matches.at(-1)?.pathname.startsWith("/admin/");
  return (
    <RevealPage
      number={number}
      doctor={doctor.name}
      last4={last4}
      erasedAt={erasedAt}
      back={`${admin ? href("/admin/doctors") : "/reviewer/cases"}/${doctor.id}`}
      answer={actionData}
      unsent={unsent}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.cases_reveal_button() }) }];
