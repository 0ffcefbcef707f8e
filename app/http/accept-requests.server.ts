import { z } from "zod";
import { acceptRequests } from "#app/domains/clinic/agenda/accept-requests.server.ts";
import type { AgendaScope } from "#app/domains/clinic/agenda/agenda.ts";
import { listRequests, MOST_REQUESTS } from "#app/domains/clinic/agenda/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { minutesUntil } from "#app/domains/visit-time.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { redirectWithToast } from "./redirects.server.ts";
import { noteFault } from "./refusals.server.ts";
import { submitForm } from "./submit-form.server.ts";

/** Patients of requests that start this soon are called as well. */
const SOON = 60;

/** Loads the requests of a scope that the page asks about: those of `?id=`, or all. */
export async function loadRequests(ctx: Ctx<Actor>, scope: AgendaScope, request: Request) {
  const ids = new URL(request.url).searchParams.getAll("id");
  // Chosen appointments that were answered meanwhile are left out.
  const rows = (await listRequests(ctx, scope, ids)).filter((row) => row.status === "pending");
  const soon = rows.flatMap((row) => {
    const minutes = minutesUntil(ctx.now, row);
    return minutes > 0 && minutes <= SOON ? [{ id: row.id, name: row.patientName, phone: row.patientPhone, minutes }] : [];
  });
  return { rows, soon, today: todayInIndia(ctx.now) };
}

const AcceptSchema = z.object({
  visit: z
    .array(z.uuid(), { error: () => m.agenda_accept_missing() })
    .min(1, { error: () => m.agenda_accept_missing() })
    .max(MOST_REQUESTS),
});

/** Accepts the ticked requests of a scope. `agenda`: the page shown after. */
export const submitRequests = (ctx: Ctx<Actor>, scope: AgendaScope, request: Request, agenda: string) =>
  submitForm(request, AcceptSchema, async ({ visit }, _, again) => {
    const results = await acceptRequests(ctx, scope, { ids: visit, onFault: (error) => noteFault(error, "accept requests") });
    if (results.every(({ outcome }) => outcome === "accepted"))
      return redirectWithToast(agenda, m.agenda_all_accepted({ count: results.length }));
    return again(results);
  });
