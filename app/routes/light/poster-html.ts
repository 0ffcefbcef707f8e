/** A poster for the door, on one sheet of A4 or A5: the QR code of /h/{slug} with three languages. One document with its own styles, no scripts. */

import { compactCss } from "#app/lib/compact.ts";
import { cspHash } from "#app/lib/csp-hash.ts";
import { escaped } from "#app/lib/escaped.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import style from "./poster.css?raw";

export const POSTER_SIZES = ["a4", "a5"] as const;
export type PosterSize = (typeof POSTER_SIZES)[number];

/** Lengths of the paper are in mm. */
const styleOf = (size: PosterSize) => {
  const [width, height] = size === "a4" ? [210, 297] : [148, 210];
  return `@page{size:${width}mm ${height}mm;margin:0}:root{--width:${width}mm;--height:${height}mm}${compactCss(style)}`;
};
const STYLES = Object.fromEntries(POSTER_SIZES.map((size) => [size, styleOf(size)])) as Record<PosterSize, string>;

export const posterPolicy = (size: PosterSize) =>
  `default-src 'none'; style-src ${cspHash(STYLES[size])}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

/** @param of `names` of the place in each language, `url` of its page, `qr` as an SVG */
export function posterPage(of: {
  names: Record<Language, string>;
  town: string;
  url: string;
  qr: string;
  size: PosterSize;
  base: string;
}): string {
  const texts = LANGUAGES.map((one) =>
    withLanguage(one, () => {
      const name = of.names[one] === of.names.en ? "" : `<p>${escaped(of.names[one])}</p>`;
      return `<div lang="${one}">${name}<b>${escaped(m.door_poster_title())}</b><p>${escaped(m.door_poster_text())}</p></div>`;
    }),
  ).join("");
  const sizes = POSTER_SIZES.map(
    (size) => `<a href="${escaped(of.base)}?size=${size}"${size === of.size ? ' aria-current="page"' : ""}>${size.toUpperCase()}</a>`,
  ).join("");
  const title = m.door_poster_of({ place: of.names.en });
  return `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(title)} · Nadi</title><style>${STYLES[of.size]}</style></head><body><nav aria-label="${escaped(m.door_poster_sizes())}">${sizes}<p>${escaped(m.queue_print_hint())}</p></nav><main><div><h1 lang="en">${escaped(of.names.en)}</h1><p lang="en">${escaped(of.town)}</p></div><div class="qr" role="img" aria-label="${escaped(m.door_poster_qr())}">${of.qr}</div><div class="l">${texts}</div><p class="a">${escaped(of.url.replace(/^https?:\/\//, ""))}</p><p class="brand">Nadi</p></main></body></html>`;
}
