import { saveDraft } from "#app/domains/visit/encounters/save-draft.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { asRefusal, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { formatTime, timeInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Route } from "./+types/draft.ts";
import { readVisitForm } from "./visit-page.server.ts";

export const loader = load(({ params }: Route.LoaderArgs) => redirectTo(`/doctor/visits/${params.id}`));

/** Saves the draft while the doctor types, for scripts: JSON. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  try {
    const { draft, version } = await readVisitForm(ctx, request, params.id);
    const { savedAt } = await saveDraft(ctx, { visitId: params.id, version, draft });
    return Response.json({ savedAt: formatTime(timeInIndia(savedAt)) }, { headers: { "Cache-Control": "no-store" } });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    const { message } = refusalOf(refusal);
    return Response.json({ message }, { status: refusals[refusal.code].status, headers: { "Cache-Control": "no-store" } });
  }
}
