/**
 * The page of a waiting room's screen as one document with its own styles and script (as token-html.ts): televisions have old browsers, so
 * the script is ES5 and needs no bundle. Languages take turns by CSS. Numbers only, no names of patients.
 */

import type { Tile } from "#app/domains/waiting-room/screen/board-view.ts";
import { compactCss, compactScript } from "#app/lib/compact.ts";
import { cspHash } from "#app/lib/csp-hash.ts";
import { formatTime, timeInIndia } from "#app/lib/dates.ts";
import { seconds } from "#app/lib/durations.ts";
import { escaped } from "#app/lib/escaped.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language, language } from "#app/lib/language.ts";
import { textIn } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import style from "./tv.css?raw";
import script from "./tv.js?raw";

/** How long each language is shown. The styles have the same number. */
const TURN = seconds(8);

const STYLE = compactCss(style);

const SCRIPT = compactScript(script);

/** The only style and the only script of the page. */
export const TV_POLICY = `default-src 'none'; style-src ${cspHash(STYLE)}; script-src ${cspHash(SCRIPT)}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

type Words = (one: Language) => string;
/** One text in each language, in turn. `first`: the language whose turn it is, so that pages that load again go on in their turn. */
function inTurn(words: Words, first: number): string {
  const spans = LANGUAGES.map((_, i) => LANGUAGES[(first + i) % LANGUAGES.length]!).map(
    (one) => `<span lang="${one}">${withLanguage(one, () => words(one))}</span>`,
  );
  return `<span class="turns">${spans.join("")}</span>`;
}

/** 10:20, without AM: those who read it are there. */
const wallClock = (now: Date) => {
  const [hour = "0", minute = "00"] = timeInIndia(now).split(":");
  return `${Number(hour) % 12 || 12}:${minute}`;
};

function tileOf(tile: Tile, first: number): string {
  const said = (words: Words) => inTurn((one) => escaped(words(one)), first);
  const state =
    tile.state === "planned"
      ? tile.expectedAt
        ? said(() => m.tv_expected({ time: formatTime(tile.expectedAt ?? "") }))
        : said(() => m.tv_starts({ time: formatTime(tile.startsAt) }))
      : tile.state === "paused"
        ? said(() => m.tv_paused())
        : tile.state === "closed"
          ? said(() => m.tv_closed({ time: formatTime(tile.closedAt ?? "") }))
          : "";
  const next = tile.state === "open" && tile.next.length ? `${said(() => m.tv_next())}<strong>${tile.next.join(", ")}</strong>` : "";
  const emergencies = tile.emergencies ? `<small>${said(() => m.token_emergencies({ count: tile.emergencies }))}</small>` : "";
  return `<li data-id="${tile.id.slice(0, 8)}" data-calls="${tile.calls}"${tile.called ? ' class="called"' : ""}>${said((one) => textIn(tile.doctorTexts, "name", tile.doctor, one))}<b>${tile.number ?? '<span class="soft">–</span>'}</b><div>${state || next}${emergencies}</div></li>`;
}

const OFFLINE =
  '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M12 20h.01"/><path d="M8.5 16.429a5 5 0 0 1 7 0"/><path d="M5 12.859a10 10 0 0 1 5.17-2.69"/><path d="M19 12.859a10 10 0 0 0-2.007-1.523"/><path d="M2 8.82a15 15 0 0 1 4.177-2.643"/><path d="M22 8.82a15 15 0 0 0-11.288-3.764"/><path d="m2 2 20 20"/></svg>';

const document_ = (title: string, more: string, body: string) =>
  `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${more}<title>${escaped(title)} · Nadi</title><style>${STYLE}</style></head><body>${body}</body></html>`;

/** Returns the page of a screen. @param tagOf returns the ETag of a text: the page without clock and turn is what "changed" means */
export function tvPage(tiles: Tile[], now: Date, tagOf: (text: string) => string): { html: string; tag: string } {
  const first = Math.floor(now.getTime() / TURN) % LANGUAGES.length;
  const listOf = (turn: number) => tiles.map((tile) => tileOf(tile, turn)).join("");
  const tag = tagOf(listOf(0));
  const time = `<time>${wallClock(now)}</time>`;
  const said = (words: () => string) => inTurn(() => escaped(words()).replace("TIME", time), first);
  const count = tiles.length;
  const columns = count <= 2 ? count : count === 4 ? 2 : 3;
  const list = count
    ? `<ul class="n${columns} r${Math.ceil(count / columns)}">${listOf(first)}</ul>`
    : `<p class="none">${said(() => m.tv_none())}</p>`;
  const main = `<main data-tag='${escaped(tag)}'><div><h1 class="on">${said(() => m.tv_title())}${time}</h1><h1 class="off" role="alert">${OFFLINE}${said(() => m.tv_offline())}</h1></div>${list}<div><p class="on">${said(() => m.queue_rule())}</p><p class="off">${said(() => m.tv_numbers_at({ time: "TIME" }))}</p></div></main>`;
  const sound = `<button id="sound" type="button" hidden>${said(() => m.tv_sound())}</button>`;
  return {
    html: document_(
      m.tv_title(),
      '<noscript><meta http-equiv="refresh" content="5"></noscript>',
      `${main}${sound}<script>${SCRIPT}</script>`,
    ),
    tag,
  };
}

/** The page of an address that shows nothing: a wrong or replaced key, or too many tries. */
export const refusedTvPage = (title: string, hint: string | null): string =>
  document_(
    title,
    "",
    `<main><div></div><div class="none"><h1>${escaped(title)}</h1>${hint ? `<p>${escaped(hint)}</p>` : ""}</div></main>`,
  );
