/** The requests that the benchmark compares. */
import { bookingForm } from "./booking-form.ts";
import { wire } from "./load.ts";
import type { Running, Wish, World } from "./world.ts";

/** More bookings than one round can use. */
export const POSTS = 1_500;

export type Case = { name: string; server: Running; request: (n: number) => string | null; expect: number };

export function casesOf({ product, bare, stock, patient, doctorId, wishes }: World): Case[] {
  const page = (name: string, server: Running, path: (n: number) => string, headers: Record<string, string> = {}): Case => ({
    name,
    server,
    request: (n) => wire(server.port, "GET", path(n), headers),
    expect: 200,
  });
  const me = { cookie: patient };
  const list = "/doctorspages/Cards-data";
  let fresh = 0;
  let used = 0;
  return [
    page("bare page", bare, () => "/"),
    page("bare page, 20 rows from Postgres", bare, () => "/rows"),
    page("bare page, React Router as it comes", stock, () => "/"),
    page("dashboard, patient", product, () => "/patient-dashboard", me),
    page("doctor list, patient", product, () => list, me),
    // A new URL each time: rendered, compressed and cached.
    page("doctor list, visitor, not cached", product, () => `${list}?n=${fresh++}`),
    page("doctor list, visitor, cached", product, () => list),
    page("doctor detail, patient", product, () => `/details/doctor/${doctorId}`, me),
    page("slot page, patient", product, () => `/patient/appointments/datetime?doctorId=${doctorId}`, me),
    {
      name: "booking post",
      server: product,
      request: (n) => (n < POSTS && used < wishes.length ? bookingPost(product.port, wishes[used++] as Wish) : null),
      expect: 303,
    },
  ];
}

/** Returns the request of a booking. */
function bookingPost(port: number, wish: Wish): string {
  const { path, type, body } = bookingForm(wish, { name: "Bench Patient", key: `${wish.doctorId}${wish.date}${wish.time}` });
  return wire(port, "POST", path, { cookie: wish.cookie, origin: `http://localhost:${port}`, "content-type": type }, body);
}
