import { href, type RouterContextProvider } from "react-router";
import type { AgendaScope } from "#app/domains/clinic/agenda/agenda.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { actorCtxOf, areaIn } from "#app/http/context.ts";
import { listAddress } from "#app/http/list-state.ts";
import { chosenDoctor, deskOf } from "./desk.server.ts";

type Args = { context: Readonly<RouterContextProvider>; request: Request };

/** Returns whose appointments a page of the agenda shows: the doctor's own, or those at the desk's place; and where it leads back to. */
export async function scopeOf({ context, request }: Args): Promise<{ ctx: Ctx<Actor>; own: boolean; scope: AgendaScope; agenda: string }> {
  if (areaIn(context, "doctor", "desk") === "doctor") {
    const ctx = actorCtxOf(context);
    const scope = { doctorIds: [ctx.actor.userId], reasons: true };
    return { ctx, own: true, scope, agenda: listAddress(href("/doctor/appointments"), { view: "agenda" }) };
  }
  const desk = await deskOf(context, request);
  const { doctor, scope } = chosenDoctor(desk, request);
  return { ctx: desk.ctx, own: false, scope, agenda: listAddress(href("/desk"), { doctor: doctor ?? "" }) };
}
