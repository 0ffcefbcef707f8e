import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { changeAtPlace } from "#app/domains/booking/appointments/change-at-place.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { AgendaScope } from "./agenda.ts";
import { listRequests } from "./queries.server.ts";

/** `accepted`: by this call. `failed`: an error; try it again. The others: the appointment was that already. */
export type AcceptOutcome = "accepted" | "failed" | "was-accepted" | "was-completed" | "was-cancelled";
export type AcceptResult = { id: string; patientName: string; date: DateKey; time: TimeKey; outcome: AcceptOutcome };

/**
 * Accepts several requests, each in its own transaction, so that one that changed meanwhile does not stop the others.
 * @param onFault gets unexpected errors, for the log
 * @throws DomainError("not-found") before the first one, when an id is not an appointment of the scope
 */
export async function acceptRequests(
  ctx: Ctx<Actor>,
  scope: AgendaScope,
  { ids, onFault }: { ids: readonly string[]; onFault: (error: unknown) => void },
): Promise<AcceptResult[]> {
  const results: AcceptResult[] = [];
  for (const { id, patientName, date, time } of ids.length ? await listRequests(ctx, scope, ids) : []) {
    const outcome = await accept(ctx, scope, id).catch((error: unknown) => {
      onFault(error);
      return "failed" as const;
    });
    results.push({ id, patientName, date, time, outcome });
  }
  return results;
}

async function accept(ctx: Ctx<Actor>, { hospitalId }: AgendaScope, id: string): Promise<AcceptOutcome> {
  try {
    if (hospitalId) await changeAtPlace(ctx, { hospitalId, id, action: "accept" });
    else await changeAppointment(ctx, { id, action: "accept" });
    return "accepted";
  } catch (error) {
    const outcome = error instanceof DomainError && error.code === "conflict" ? OUTCOMES[statusOf(error)] : undefined;
    if (outcome) return outcome;
    throw error;
  }
}
const OUTCOMES: Record<string, AcceptOutcome> = { accepted: "was-accepted", completed: "was-completed", cancelled: "was-cancelled" };
const statusOf = ({ detail }: DomainError) => (detail as { status?: string } | undefined)?.status ?? "";
