/** A poster for the door, on one sheet of A4 or A5: the QR code of /h/{slug} with three languages. One document with its own styles, no scripts. */
import { createHash } from "node:crypto";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

export const POSTER_SIZES = ["a4", "a5"] as const;
export type PosterSize = (typeof POSTER_SIZES)[number];

/** Everything on the sheet is in units of its width, so that one design fits both sizes. Lengths of the paper are in mm. */
const styleOf = (size: PosterSize) => {
  const [width, height] = size === "a4" ? [210, 297] : [148, 210];
  return `@page{size:${width}mm ${height}mm;margin:0}*{box-sizing:border-box}body{margin:0;background:#ece8dd;color:#10242a;font-family:Roboto,'Noto Sans','Noto Sans Telugu','Noto Sans Devanagari',system-ui,sans-serif;line-height:1.35}nav{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;padding:.5rem 1rem}nav a{color:#0b5566;font-weight:700;min-height:44px;display:inline-flex;align-items:center}nav [aria-current]{color:#10242a;text-decoration:none}nav p{margin:0}main{--u:min(1vw,${width / 100}mm);width:min(100vw,${width}mm);min-height:calc(var(--u)*141);margin:0 auto;background:#fff;padding:calc(var(--u)*6);display:grid;gap:calc(var(--u)*3);align-content:space-between;justify-items:center;text-align:center;font-size:calc(var(--u)*2.9)}h1{margin:0;font-size:calc(var(--u)*6);line-height:1.2;overflow-wrap:anywhere}h1+p{margin:calc(var(--u)*1) 0 0;color:#3a4c52}p{margin:0}.qr{width:calc(var(--u)*44);line-height:0}.qr svg{width:100%;height:auto}.l{display:grid;gap:calc(var(--u)*2.5);width:100%}.l b{font-size:calc(var(--u)*4);line-height:1.3}.a{font-size:calc(var(--u)*2.8);font-weight:700;overflow-wrap:anywhere}.brand{color:#0b5566;font-weight:700}@media print{body{background:#fff}nav{display:none}main{--u:${width / 100}mm;width:${width}mm;height:${height - 1}mm;min-height:0;overflow:hidden}}`;
};
const STYLES = Object.fromEntries(POSTER_SIZES.map((size) => [size, styleOf(size)])) as Record<PosterSize, string>;

export const posterPolicy = (size: PosterSize) =>
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLES[size]).digest("base64")}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

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
