import { href } from "react-router";
import { SlotSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { bookingPath } from "#app/lib/booking-paths.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/** Cookie with the doctor and time that a visitor chose: the booking goes on at login. Nothing is reserved; it expires after half an hour. */
const NAME = "nadi_booking";
const LIFE = 30 * 60;

type WaitingBooking = { doctorId: string; date: string; time: string };

/** Returns the booking that a path of our site goes on with; null for another page. */
export function bookingOfPath(path: string): WaitingBooking | null {
  const [page, search] = path.split("?");
  if (page !== href("/patient/appointments/patient-detail")) return null;
  const query = new URLSearchParams(search);
  const doctorId = query.get("doctorId") ?? "";
  const slot = SlotSchema.safeParse({ date: query.get("date") ?? "", time: query.get("time") ?? "" });
  return isUuid(doctorId) && slot.success ? { doctorId, ...slot.data } : null;
}

/** Returns the doctor whose times a path of our site shows; null for another page. */
export function doctorOfPath(path: string): string | null {
  const [page, search] = path.split("?");
  const doctorId = page === href("/patient/appointments/datetime") ? new URLSearchParams(search).get("doctorId") : null;
  return isUuid(doctorId) ? doctorId : null;
}

export const waitingBookingCookie = (booking: WaitingBooking) => writeCookie(NAME, bookingPath(booking), LIFE);
export const clearWaitingBookingCookie = () => writeCookie(NAME, "", 0);
export const waitingBooking = (request: Request) => bookingOfPath(readCookie(request.headers.get("cookie"), NAME) ?? "");
