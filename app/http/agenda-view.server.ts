import { days } from "#app/lib/durations.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

export type AgendaView = "agenda" | "cards";
const NAME = "nadi_view";

/** Returns how a doctor sees the appointments: as chosen in the URL, otherwise as chosen before, otherwise as cards. */
export function readAgendaView(request: Request, chosen: string | null): AgendaView {
  return (chosen ?? readCookie(request.headers.get("cookie"), NAME)) === "agenda" ? "agenda" : "cards";
}
export const agendaViewCookie = (view: AgendaView) => writeCookie(NAME, view, days(180) / 1000);
