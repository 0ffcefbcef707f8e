import { readCallerView } from "#app/domains/booking/appointments/caller-times.server.ts";
import type { FreeOf } from "#app/domains/booking/appointments/free-times.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { Choosing, ComingVisit } from "./coming-visit.ts";

/**
 * Reads the days and times among which the doctor chooses for one appointment of a leave or a closed practice. `choose`: "{id}", "{id} {date}", or
 * "{id} other" for the typed day. null: it is not one of them, or none is chosen.
 */
export async function readChoosing(
  ctx: Ctx<Actor>,
  visits: readonly ComingVisit[],
  of: Omit<FreeOf, "doctorId">,
  { choose = "", otherDay = "" }: { choose?: string | undefined; otherDay?: string | undefined },
): Promise<Choosing | null> {
  const [id, day = null] = choose.split(" ");
  const visit = visits.find((one) => one.id === id);
  if (!visit) return null;
  const at = { day: day === "other" ? otherDay : day, practiceId: visit.practiceId };
  return { id: visit.id, view: await readCallerView(ctx, { ...of, doctorId: ctx.actor.userId }, at) };
}
