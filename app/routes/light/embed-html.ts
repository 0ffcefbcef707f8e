/**
 * The frame of a place's free times for other websites, as one small document with its own styles (as rx-html.ts): no scripts, no cookies, at
 * most 6 KB. Its links open in the top window, because a login in a frame of another website fails without third-party cookies.
 */

import { freeWord } from "#app/domains/directory/doctors/free-word.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import type { DoctorToday } from "#app/domains/directory/hospitals/today.server.ts";
import { bookingPath, timesPath } from "#app/lib/booking-paths.ts";
import { compactCss } from "#app/lib/compact.ts";
import { cspHash } from "#app/lib/csp-hash.ts";
import { formatTime } from "#app/lib/dates.ts";
import { escaped } from "#app/lib/escaped.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import style from "./embed.css?raw";

const STYLE = compactCss(style);

/** @param origins websites that may show the frame. Nadi's own pages may too. */
export const embedPolicy = (origins: readonly string[]) =>
  `default-src 'none'; style-src ${cspHash(STYLE)}; form-action 'none'; base-uri 'none'; frame-ancestors ${["'self'", ...origins].join(" ")}`;

const page = (title: string, main: string) =>
  `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(title)} · Nadi</title><style>${STYLE}</style></head><body><main>${main}</main></body></html>`;

const link = (path: string, text: string, { button = false, label = "" } = {}) =>
  `<a${button ? ' class="b"' : ""} href="${escaped(path)}" target="_top" rel="nofollow"${label ? ` aria-label="${escaped(label)}"` : ""}>${escaped(text)}</a>`;

/** The page of a refusal: an unknown name. */
export const refusedEmbedPage = (title: string): string => page(title, `<h1>${escaped(title)}</h1>`);

/** Doctors in the frame. The page of the place has the others. */
const MOST = 8;

/** The frame. `path`: the page of the place. `own`: adds the language to addresses, when the frame's address names one. */
export function embedPage(of: { name: string; path: string; doctors: DoctorToday[]; today: string; lang: string | null }): string {
  const own = (path: string) => (of.lang ? `${path}${path.includes("?") ? "&" : "?"}lang=${of.lang}` : path);
  const entry = (doctor: DoctorToday) => {
    const { id, name, times, free, next, givesTokens } = doctor;
    const each = times.map((time) => link(own(bookingPath({ doctorId: id, date: of.today, time })), formatTime(time)));
    const all = givesTokens && free > 0 ? m.door_token_get() : m.doctors_all_times();
    const parts = [
      `<h2>${escaped(name)}</h2><p class="soft">${escaped(specialtyWord(doctor.specialization))}</p>`,
      each.length ? `<p class="t">${each.join("")}</p>` : "",
      givesTokens && free > 0 ? `<p>${escaped(m.door_tokens_left({ count: free }))}</p>` : "",
      free === 0 ? `<p>${escaped(next ? freeWord(next, of.today) : m.doctors_no_free())}</p>` : "",
      free > times.length || next ? link(own(timesPath(doctor)), all, { label: `${all}: ${name}` }) : "",
    ];
    return `<li>${parts.join("")}</li>`;
  };
  const list = of.doctors.slice(0, MOST).map(entry).join("");
  const title = m.door_frame_title({ place: of.name });
  return page(
    title,
    `<h1>${escaped(title)}</h1>${list ? `<ul>${list}</ul>` : `<p>${escaped(m.directory_no_doctors())}</p>`}<p>${link(own(of.path), m.door_frame_all(), { button: true })}</p>`,
  );
}
