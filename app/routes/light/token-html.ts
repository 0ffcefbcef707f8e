/**
 * The page of a token as one small document: own styles, no fonts, no bundle. It opens on a 2G phone, so it is not a React page
 * (app/domains/waiting-room/token-page). A test keeps it below 4 KB.
 */

import { type TokenView, TRAVEL } from "#app/domains/waiting-room/token-page/token-view.ts";
import { compactCss, compactScript } from "#app/lib/compact.ts";
import { cspHash } from "#app/lib/csp-hash.ts";
import {
  type DateKey,
  formatDay,
  formatDayShort,
  formatSpan,
  formatTime,
  type TimeKey,
  timeInIndia,
  todayInIndia,
} from "#app/lib/dates.ts";
import { escaped } from "#app/lib/escaped.ts";
import { LANGUAGE_NAMES, LANGUAGES, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import style from "./token.css?raw";
import script from "./token.js?raw";

const STYLE = compactCss(style);

const SCRIPT = compactScript(script);

/** The only style and the only script of the page. */
export const TOKEN_POLICY = `default-src 'none'; style-src ${cspHash(STYLE)}; script-src ${cspHash(SCRIPT)}; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

const button = (intent: string, words: string, kind = "") =>
  `<button name="intent" value="${intent}"${kind && ` class="${kind}"`}>${escaped(words)}</button>`;
/** Time of the day as patients read it. */
const clock = (time: string | null) => (time === null ? "" : formatTime(time));

type Head = { title: string; refresh: number | null; travel?: number };
function document_({ title, refresh, travel }: Head, main: string): string {
  const query = travel === undefined || travel === TRAVEL.default ? "" : `&t=${travel}`;
  const languages = LANGUAGES.map(
    (one) => `<a href="?lang=${one}${query}" lang="${one}"${one === language() ? ' aria-current="true"' : ""}>${LANGUAGE_NAMES[one]}</a>`,
  ).join("");
  const again = refresh === null ? "" : `<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`;
  return `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${again}<title>${escaped(title)} · Nadi</title><style>${STYLE}</style></head><body>${main.replace("</main>", `<nav aria-label="${escaped(m.ui_language())}">${languages}</nav></main>`)}${refresh === null ? "" : `<script>${SCRIPT}</script>`}</body></html>`;
}

/** The page of a refusal: unknown code, too many tries. */
export const refusedTokenPage = (title: string, hint: string | null): string =>
  document_({ title, refresh: null }, `<main><h1>${escaped(title)}</h1>${hint ? `<p>${escaped(hint)}</p>` : ""}</main>`);

/** Whose queue it is. The texts are in the reader's language. */
export type TokenPlace = { doctor: string; place: string | null; phone: string | null };
/** Other times of the doctor, for a patient who was not seen: each with the address that books it, and that of all times. */
export type OtherTimes = { date: DateKey; times: { date: DateKey; time: TimeKey; path: string }[]; all: string };

/** @param tagOf returns the ETag of a text: the page without the time of the check is what "changed" means */
export function tokenPage(
  view: TokenView,
  place: TokenPlace,
  notice: string | null,
  tagOf: (text: string) => string,
  other: OtherTimes | null,
): { html: string; tag: string } {
  const { state } = view;
  const over = OVER.includes(state) || view.session === "closed";
  const call = place.phone ? `<a class="btn" href="tel:${escaped(place.phone)}">${escaped(m.token_call())}</a>` : "";
  const inside = [
    whose(place),
    notice && `<p class="note" role="alert">${escaped(notice)}</p>`,
    ...(other ? unseenOf(view, other, call) : bodyOf(view)),
  ];
  const tag = tagOf(`${language()} ${inside.join("")}`);
  const query = queryOf(view);
  const checks = over ? "" : `<p class="small">${escaped(m.token_checked({ time: clock(view.checkedAt) }))}</p>`;
  const links = over
    ? ""
    : `<div class="two"><a class="btn" href="?${escaped(String(query))}">${escaped(m.token_check())}</a>${call}</div>`;
  // A page of its own: this one loads itself again every 5 s without scripts.
  const leave = view.may.leave ? `<a href="?${escaped(`${query}&leave=1`)}">${escaped(m.token_not_coming())}</a>` : "";
  const sms = view.sms
    ? `<form method="post"><p class="small">${escaped(view.sms === "on" ? m.token_sms_on() : m.token_sms_stopped())}</p>${button(view.sms === "on" ? "stop-sms" : "allow-sms", view.sms === "on" ? m.token_sms_stop() : m.token_sms_allow())}</form>`
    : "";
  const main = `<main data-tag='${escaped(tag)}' data-wait="1500">${inside.filter(Boolean).join("")}${checks}${links}${over ? "" : `<p class="small">${escaped(m.queue_rule())}</p>`}${sms}${leave}</main>`;
  const title = m.token_title({ number: view.number });
  return { html: document_({ title, refresh: over ? null : 5, travel: view.travel }, main), tag };
}

const queryOf = ({ travel }: TokenView) =>
  new URLSearchParams({ lang: language(), ...(travel !== TRAVEL.default && { t: String(travel) }) });

/** Asks whether the patient leaves the queue. Does not load itself again. Its form is sent to the page of the token, which does. */
export function leavePage(view: TokenView, place: TokenPlace): string {
  const back = `?${escaped(String(queryOf(view)))}`;
  const title = m.token_not_coming();
  return document_(
    { title, refresh: null, travel: view.travel },
    `<main>${whose(place)}<h1>${escaped(title)}</h1><p>${escaped(m.token_leave_sure({ number: view.number }))}</p><form method="post" action="${back}">${button("leave", m.token_leave(), "bad")}</form><a class="btn" href="${back}">${escaped(m.token_keep())}</a></main>`,
  );
}

const whose = (place: TokenPlace): string => `<p><b>${escaped(place.doctor)}</b>${place.place ? `<br>${escaped(place.place)}` : ""}</p>`;

const OVER: readonly TokenView["state"][] = ["done", "left", "no-show", "unseen", "lapsed"];
/** The clinic closed before the turn of the patient, or nothing is known of a session that was not opened. */
function unseenOf({ state, number, endedAt }: TokenView, { date, times, all }: OtherTimes, call: string): string[] {
  const said =
    state === "unseen"
      ? `<h1>${escaped(m.token_unseen())}</h1><p>${escaped(m.token_unseen_at({ day: formatDay(date), time: clock(endedAt), number }))}</p>`
      : `<h1>${escaped(m.token_lapsed())}</h1><p>${escaped(m.token_lapsed_hint())}</p>`;
  const slots = times.map(
    (one) =>
      `<a class="btn" href="${escaped(one.path)}"><small>${escaped(formatDayShort(one.date))}</small>${escaped(clock(one.time))}</a>`,
  );
  return [
    `<div class="note">${said}</div>`,
    `<h2>${escaped(m.token_choose())}</h2>`,
    slots.length ? `<div class="two">${slots.join("")}</div>` : "",
    `<a class="btn full" href="${escaped(all)}">${escaped(m.token_all_times())}</a>`,
    state === "unseen" ? `<p class="small">${escaped(m.token_unseen_paid())}</p>` : "",
    `<div class="two">${call}<a class="btn bad" href="tel:108">${escaped(m.token_worse())}</a></div>`,
  ];
}

function bodyOf(view: TokenView): string[] {
  const { state, number } = view;
  const own = `<h1>${escaped(m.token_yours())}<b>${number}</b></h1>`;
  const act = (small: string, large: string) =>
    `<div class="do" role="status">${small ? `<p>${escaped(small)}</p>` : ""}<b>${escaped(large)}</b></div>`;
  const ended = view.endedAt ? `<p>${escaped(m.token_done_at({ number, time: clock(view.endedAt) }))}</p>` : "";
  if (state === "done")
    return [
      `<h1>${escaped(m.token_done())}</h1>`,
      ended,
      `<a class="btn full" href="/patient/calendar">${escaped(m.token_appointments())}</a>`,
      `<p class="small">${escaped(m.token_login_hint())}</p>`,
    ];
  if (state === "left" || state === "no-show")
    return [`<h1>${escaped(state === "left" ? m.token_left() : m.token_missed())}</h1>`, ended, `<p>${escaped(m.token_left_hint())}</p>`];
  if (state === "called")
    return [own, act(m.token_turn(), m.token_go_in()), `<p>${escaped(m.token_called_at({ time: clock(view.calledAt) }))}</p>`];
  if (state === "with-doctor") return [own, act("", m.token_inside())];
  if (state === "skipped")
    return [
      own,
      `<p class="note"><b>${escaped(m.token_skipped({ time: clock(view.calledAt) }))}</b> ${escaped(m.token_skipped_keep())}</p>`,
      `<form method="post">${button("return", m.token_return(), "full")}<small>${escaped(m.token_skipped_then())}</small></form>`,
    ];
  return [own, ...waitingOf(view)];
}

/** The day is named when it is not that of the check. */
function expectedOf({ leaveAt, goNow, today }: TokenView, { from, until }: NonNullable<TokenView["expected"]>): string {
  const day = todayInIndia(from);
  const head = day === today ? m.token_expected_label() : m.token_expected_day({ day: formatDay(day) });
  const span = formatSpan({ from: timeInIndia(from), until: timeInIndia(until) });
  const when = leaveAt
    ? `<p>${escaped(m.token_leave_label())}</p><b>${escaped(clock(leaveAt))}</b>`
    : `<p>${escaped(goNow ? m.token_leave_now() : m.token_stay())}</p>`;
  return `<div class="do" role="status"><p>${escaped(head)}</p><b>${escaped(span)}</b>${when}</div>`;
}

function waitingOf(view: TokenView): string[] {
  const emergencies = view.emergencies ? `<small>${escaped(m.token_emergencies({ count: view.emergencies }))}</small>` : "";
  return [
    view.expected ? expectedOf(view, view.expected) : "",
    view.early ? `<p class="small">${escaped(m.token_early())}</p>` : "",
    `<div class="two"><p>${escaped(m.token_now_seeing())}<b>${view.nowSeeing ?? "–"}</b></p><p>${escaped(m.token_before())}<b>${view.ahead}</b>${emergencies}</p></div>`,
    view.session === "paused" ? `<p class="note">${escaped(m.token_paused())}</p>` : "",
    view.session === "planned" ? `<p class="note">${escaped(m.token_not_started())}</p>` : "",
    view.doctorAt ? `<p class="note">${escaped(lateWords(view))}</p>` : "",
    view.may.arrive
      ? `<form method="post">${button("arrive", m.token_arrive(), "full")}<small>${escaped(m.token_arrive_hint())}</small></form>`
      : "",
    view.state === "expected" ? travelOf(view) : "",
  ];
}

const lateWords = ({ session, doctorAt }: TokenView) => {
  const time = clock(doctorAt);
  return session === "planned" ? m.token_doctor_expected({ time }) : m.token_doctor_came({ time });
};

const travelOf = ({ travel }: TokenView): string =>
  `<form class="travel"><input type="hidden" name="lang" value="${language()}"><label>${escaped(m.token_travel())} <select name="t">${TRAVEL.choices
    .map((one) => `<option${one === travel ? " selected" : ""}>${one}</option>`)
    .join("")}</select></label><button>${escaped(m.token_travel_set())}</button></form>`;
