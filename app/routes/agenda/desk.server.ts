import type { RouterContextProvider } from "react-router";
import type { AgendaScope } from "#app/domains/clinic/agenda/agenda.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type Desk, getDesk } from "#app/domains/places/members/desk.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { readCookie, writeCookie } from "#app/http/cookies.server.ts";
import { days } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";

const NAME = "nadi_desk";

/**
 * Returns the member's place and its doctors for a page of /desk: `?place=`, otherwise the place chosen before, otherwise the first.
 * `headers` remembers a choice.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function deskOf(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<Desk & { ctx: Ctx<Actor>; headers: Record<string, string> }> {
  const ctx = actorCtxOf(context);
  const chosen = new URL(request.url).searchParams.get("place");
  if (chosen) return { ctx, ...(await getDesk(ctx, chosen)), headers: { "Set-Cookie": writeCookie(NAME, chosen, days(180) / 1000) } };
  const before = readCookie(request.headers.get("cookie"), NAME);
  const own = await getDesk(ctx, null);
  // The member may have left the place since.
  const other = isUuid(before) && before !== own.place.id && own.places.some(({ id }) => id === before);
  return { ctx, ...(other ? await getDesk(ctx, before) : own), headers: {} };
}

/** Returns the doctor whom a page of the desk is limited to (`?doctor=`), null for all, and the scope. */
export function chosenDoctor(desk: Desk, request: Request): { doctor: string | null; scope: AgendaScope } {
  const wanted = new URL(request.url).searchParams.get("doctor");
  const doctor = desk.doctors.find(({ id }) => id === wanted) ?? null;
  return { doctor: doctor?.id ?? null, scope: scopeOfDesk({ ...desk, doctors: doctor ? [doctor] : desk.doctors }) };
}

/** What the agenda of a desk shows: appointments at the place, with the reasons where the place shows them. */
export const scopeOfDesk = ({ place, doctors, reasons }: Desk): AgendaScope => ({
  doctorIds: doctors.map(({ id }) => id),
  hospitalId: place.id,
  reasons,
});
