/**
 * The check of a prescription as one small document with its own styles: it opens on a pharmacist's phone with a slow network, so it is not a
 * React page (app/domains/visit/documents). A test keeps it within 6 KB.
 */

import { shownCode } from "#app/domains/visit/documents/code.ts";
import { initialsOf, type SignedContent } from "#app/domains/visit/documents/content.ts";
import type { Check } from "#app/domains/visit/documents/verify.server.ts";
import { certificateWord } from "#app/domains/visit/documents/words.ts";
import { doseSentence } from "#app/domains/visit/medicines/dose-sentence.ts";
import { strengthAndForm } from "#app/domains/visit/medicines/words.ts";
import { compactCss } from "#app/lib/compact.ts";
import { cspHash } from "#app/lib/csp-hash.ts";
import { formatDate, formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { escaped } from "#app/lib/escaped.ts";
import { LANGUAGE_NAMES, LANGUAGES, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import style from "./rx.css?raw";

const STYLE = compactCss(style);

/** The only style of the page; no scripts. */
export const RX_POLICY = `default-src 'none'; style-src ${cspHash(STYLE)}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`;

/** A small page without scripts, for RX_POLICY. */
export function smallPage(title: string, main: string): string {
  const languages = LANGUAGES.map(
    (one) => `<a href="?lang=${one}" lang="${one}"${one === language() ? ' aria-current="true"' : ""}>${LANGUAGE_NAMES[one]}</a>`,
  ).join("");
  return `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(m.ui_title({ page: title }))}</title><style>${STYLE}</style></head><body><main>${main}<nav aria-label="${escaped(m.ui_language())}">${languages}</nav></main></body></html>`;
}

const verdict = (tone: "ok" | "warn" | "bad", title: string, text: string) =>
  `<section class="verdict ${tone}" role="status"><h1>${escaped(title)}</h1><p>${escaped(text)}</p></section>`;

/** The page of a refusal: unknown code, too many tries. */
export const refusedRxPage = (title: string, hint: string): string => smallPage(title, verdict("bad", title, hint));

/** The page of a check. Medicines only while the document is valid. */
export function rxPage(check: Check, now: Date): string {
  const checked = `<p class="small">${escaped(m.rx_checked({ at: formatInstant(now) }))}</p>`;
  if (check.verdict === "tampered") return smallPage(m.rx_tampered(), verdict("bad", m.rx_tampered(), m.rx_tampered_text()) + checked);
  const { content, endedAt } = check;
  const ended = endedAt ? formatInstant(endedAt) : "";
  const facts = [
    [m.rx_code(), shownCode(check.code)],
    [m.rx_doctor(), content.doctor.name],
    [m.rx_registration(), content.doctor.registration],
    [m.rx_signed(), formatDate(todayInIndia(new Date(content.signedAt)))],
    [m.rx_patient(), initialsOf(content.patient.name)],
  ];
  const list = facts.map(([name, value]) => `<dt>${escaped(name!)}</dt><dd>${escaped(value!)}</dd>`).join("");
  const card = `<section class="card"><dl>${list}</dl></section>`;
  if (check.verdict === "valid")
    return smallPage(m.rx_valid(), verdict("ok", m.rx_valid(), m.rx_valid_text()) + card + bodyOf(content) + checked);
  if (content.kind === "certificate")
    return smallPage(m.rx_cancelled(), verdict("bad", m.rx_cancelled(), m.certificate_rx_cancelled({ at: ended })) + card + checked);
  if (content.kind === "order") {
    const [tone, title, text] =
      check.verdict === "cancelled"
        ? (["bad", m.rx_cancelled(), m.order_rx_cancelled({ at: ended })] as const)
        : (["warn", m.rx_superseded(), m.order_rx_superseded({ at: ended })] as const);
    return smallPage(title, verdict(tone, title, text) + card + checked);
  }
  const phone = content.place?.phone;
  const call = phone ? `<a class="btn" href="tel:${escaped(phone)}">${escaped(m.rx_call())}</a>` : "";
  const [title, text, hint] =
    check.verdict === "cancelled"
      ? [m.rx_cancelled(), m.rx_cancelled_text({ at: ended }), m.rx_cancelled_hint()]
      : [m.rx_superseded(), m.rx_superseded_text({ at: ended }), m.rx_superseded_hint()];
  return smallPage(
    title,
    `${verdict(check.verdict === "cancelled" ? "bad" : "warn", title, text)}${card}<p>${escaped(hint)}</p>${call}${checked}`,
  );
}

function bodyOf(content: SignedContent): string {
  if (content.kind === "certificate") {
    const until = content.until === null ? "" : ` – ${formatDate(content.until)}`;
    return `<section class="card"><h2>${escaped(certificateWord(content.type))}</h2><p>${escaped(formatDate(content.from) + until)}</p></section>`;
  }
  if (content.kind === "order") {
    const tests = content.tests.map((test) => `<li>${escaped(test)}</li>`).join("");
    return `<section class="card"><h2>${escaped(m.order_title())}</h2><ol>${tests}</ol></section>`;
  }
  const lines = content.lines
    .map((line) => `<li><b>${escaped(line.name)}</b> ${escaped(strengthAndForm(line))}<br>${escaped(doseSentence(line, language()))}</li>`)
    .join("");
  return lines === ""
    ? ""
    : `<section class="card"><h2>${escaped(m.rx_medicines())}</h2><p class="small">${escaped(m.rx_must_match())}</p><ol>${lines}</ol></section>`;
}
