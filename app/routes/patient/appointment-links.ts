import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";

/** Keeps the way back to the page of the appointment in the links of a page of changes. */
export const FROM_APPOINTMENT = { from: "appointment" };
export type Origin = Partial<typeof FROM_APPOINTMENT>;

/** Returns the link back from a change of an appointment: to its page for who came from there, otherwise to the calendar. */
export const backToAppointment = (id: string, origin: Origin): { to: string; label: string } =>
  origin.from
    ? { to: href("/patient/appointments/:id", { id }), label: m.appointments_own_back() }
    : { to: href("/patient/calendar"), label: m.appointments_to_calendar() };

/** Returns the page to wait for an earlier time than that of an appointment. */
export const joinAddress = ({ id, doctorId }: { id: string; doctorId: string }) =>
  `${href("/patient/waitlist/join")}?${new URLSearchParams({ doctorId, appointment: id })}`;
