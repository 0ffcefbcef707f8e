import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";

/** The pages of the calendar open a change with this query, so that the way back leads there. */
export const FROM_CALENDAR = { from: "calendar" };

/** Returns the query of a page of changes that has to stay in its own links. */
export const originOf = (query: URLSearchParams): Partial<typeof FROM_CALENDAR> =>
  query.get("from") === FROM_CALENDAR.from ? FROM_CALENDAR : {};

/** Returns the link back from a change of an appointment: to the calendar for who came from there, otherwise to its page. */
export const backToAppointment = (id: string, origin: Partial<typeof FROM_CALENDAR>): { to: string; label: string } =>
  origin.from
    ? { to: href("/patient/calendar"), label: m.appointments_to_calendar() }
    : { to: href("/patient/appointments/:id", { id }), label: m.appointments_own_back() };
