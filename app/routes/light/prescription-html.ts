/** The printed prescription or certificate: a document of its own, black on white, A5 or A4. Readable on a phone as well. */

import { qrCode } from "#app/domains/booking/payments/qr-code.server.ts";
import { allergiesWord } from "#app/domains/visit/allergies/known-allergies.ts";
import { shownCode } from "#app/domains/visit/documents/code.ts";
import type { OrderContent, PrescriptionContent, SignedContent } from "#app/domains/visit/documents/content.ts";
import { certificateText, certificateWord, signedPatientWord } from "#app/domains/visit/documents/words.ts";
import { adviceWord, amountWord, doseSentence, foodOf } from "#app/domains/visit/medicines/dose-sentence.ts";
import { foodWord, strengthAndForm } from "#app/domains/visit/medicines/words.ts";
import { compactCss } from "#app/lib/compact.ts";
import { cspHash } from "#app/lib/csp-hash.ts";
import { formatDate, formatDayLong, formatInstant } from "#app/lib/dates.ts";
import { escaped } from "#app/lib/escaped.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { VisitDocumentState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import style from "./print.css?raw";

const PAPERS = ["a5", "a4"] as const;
type Paper = (typeof PAPERS)[number];

const SIZES: Record<Paper, string> = {
  a5: ":root{--width:148mm}@page{size:A5;margin:9mm 10mm 13mm}@media print{.paper{min-height:186mm}}",
  a4: ":root{--width:210mm}@page{size:A4;margin:15mm 18mm}@media print{html{font-size:11.5pt}.paper{min-height:265mm}.head,.foot,dt,thead th{font-size:10pt}.big{font-size:15pt}tbody .own{font-size:14pt}}",
};

const RULES = compactCss(style);
const printStyle = (paper: Paper): string => RULES + SIZES[paper];

/** Returns a text as a string of CSS: every sign but letters, digits and a few others is escaped, so that none ends the string or the style. */
const cssText = (text: string): string =>
  `"${text.replace(/[^\p{L}\p{M}\p{N} .,-]/gu, (sign) => `\\${sign.codePointAt(0)!.toString(16)} `)}"`;

/** Names patient, doctor, code and the number of the sheet in the margin of each: sheets that were separated are found again. */
function sheetStyle({ patient, doctor, code }: SignedContent): string {
  const text = `${patient.name}, ${doctor.name}, ${shownCode(code)}`;
  const font =
    "font:7.5pt/1.2 Roboto,'Noto Sans','Noto Sans Telugu','Noto Sans Devanagari',sans-serif;vertical-align:top;padding-top:1.5mm";
  return `@page{@bottom-left{content:${cssText(text)};${font}}@bottom-right{content:counter(page) "/" counter(pages);${font}}}`;
}

const SCRIPT = "let b=document.querySelector('button');b.hidden=false;b.onclick=()=>print()";
const headersOf = (styles: readonly string[]) => ({
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src ${styles.map(cspHash).join(" ")}; script-src ${cspHash(SCRIPT)}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
});

function titleOf(content: SignedContent): string {
  if (content.kind === "prescription") return m.rx_title();
  return content.kind === "certificate" ? certificateWord(content.type) : m.order_title();
}

/** Writes English, as the doctor signed it. */
const inEnglish = <T>(work: () => T): T => withLanguage("en", work);

/**
 * Returns the page for printing: the doctor's English, with the patient's language below each medicine and advice.
 * @param at.back the page that the link goes back to
 * @param at.url the address of this page: `?paper=a4` prints on A4
 * @param headers more headers
 */
export function printedPage(
  content: SignedContent,
  state: VisitDocumentState,
  at: { origin: string; back: string; url: string },
  headers: Record<string, string> = {},
): Response {
  const paper = PAPERS.find((one) => one === new URL(at.url).searchParams.get("paper")) ?? "a5";
  const other = paper === "a5" ? "a4" : "a5";
  const bar = `<nav class="bar"><a href="${escaped(at.back)}">${escaped(m.rx_back())}</a><button hidden>${escaped(m.rx_print())}</button><a href="?paper=${other}">${escaped(m.rx_paper({ size: other.toUpperCase() }))}</a></nav>`;
  const title = `${titleOf(content)}, ${content.patient.name}`;
  const notice =
    state === "signed"
      ? ""
      : `<p class="void" role="alert">${escaped(state === "cancelled" ? m.rx_print_cancelled() : m.rx_print_superseded())}</p>`;
  const article = inEnglish(() => paperOf(content, at.origin));
  const styles = [printStyle(paper), sheetStyle(content)];
  const html = `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(m.ui_title({ page: title }))}</title>${styles.map((text) => `<style>${text}</style>`).join("")}</head><body>${bar}<main><article class="paper" lang="en">${notice}${article}</article></main><script>${SCRIPT}</script></body></html>`;
  return new Response(html, { headers: { ...headersOf(styles), ...headers } });
}

function paperOf(content: SignedContent, origin: string): string {
  const { doctor, place, patient, code } = content;
  const path = `${origin}/rx/${shownCode(code)}`;
  const head = `<header class="head"><div>${place ? `<p class="big">${escaped(place.name)}</p><p>${escaped(place.address)}${place.phone ? `<br>${escaped(m.rx_phone({ phone: formatPhone(place.phone) }))}` : ""}</p>` : ""}</div><div class="doctor"><h1 class="big">${escaped(doctor.name)}</h1><p>${escaped(doctor.qualification)}<br>${escaped(m.rx_reg_no({ number: doctor.registration }))}</p></div></header>`;
  const cell = (name: string, value: string, wide = false) =>
    `<div${wide ? ' class="wide"' : ""}><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`;
  const who = `<dl class="line">${cell(m.rx_patient(), patient.name)}${cell(m.rx_age_sex(), signedPatientWord(content))}${cell(m.rx_date(), formatDate(content.date))}${content.kind === "prescription" ? healthOf(content, cell) : ""}</dl>`;
  const foot = `<footer class="foot"><div class="check">${qrCode(path)}<p>${escaped(content.kind === "prescription" ? m.rx_scan() : m.certificate_scan())}<br><b>${escaped(path.replace(/^https?:\/\//, ""))}</b></p></div><div class="signature"><p>${escaped(doctor.name)}<br>${escaped(m.rx_signed_at({ at: formatInstant(new Date(content.signedAt)) }))}</p></div></footer>`;
  return `${head}${who}${content.kind === "prescription" ? medicinesOf(content) : ""}<div class="end">${bodyOf(content)}${foot}</div>`;
}

const healthOf = (content: PrescriptionContent, cell: (name: string, value: string, wide: boolean) => string): string => {
  const diagnosis = [content.diagnosis, content.diagnosisCode && `(${content.diagnosisCode})`].filter(Boolean).join(" ");
  return cell(m.rx_allergies(), allergiesWord(content), true) + (diagnosis ? cell(m.rx_diagnosis(), diagnosis, true) : "");
};

/** A heading and a text in the patient's language; nothing when that is English. */
const own = ({ language: lang }: SignedContent, head: () => string, text: () => string): string =>
  lang === "en" ? "" : withLanguage(lang, () => `<span lang="${lang}"><b>${escaped(head())}</b> ${escaped(text())}</span>`);

function medicinesOf(content: PrescriptionContent): string {
  if (!content.lines.length) return "";
  const heads = [m.rx_morning(), m.rx_noon(), m.rx_evening(), m.rx_night(), m.rx_food(), m.rx_days()]
    .map((name) => `<th scope="col">${escaped(name)}</th>`)
    .join("");
  const rows = content.lines
    .map((line, i) => {
      const plain = line.everyNDays === 1 && !line.asNeeded;
      const what = [strengthAndForm(line), line.brand && `(${line.brand})`, plain && line.quantity !== null && `× ${line.quantity}`]
        .filter(Boolean)
        .join(" ");
      const name = `<th scope="row">${i + 1}. <b>${escaped(line.name)}</b> ${escaped(what)}</th>`;
      const food = line.wording ? foodOf(line) : line.food;
      const amounts = line.dose.map((amount) => amountWord(amount, line));
      const cells = plain
        ? [...amounts, food ? foodWord(food) : "", String(line.days ?? "")].map((text) => `<td>${escaped(text)}</td>`).join("")
        : `<td colspan="6">${escaped(doseSentence(line, "en"))}</td>`;
      const words = line.words ? `<small>${escaped(line.words)}</small>` : "";
      // A sentence in the cells is not repeated in the same language.
      const sentence =
        plain || content.language !== "en"
          ? `<span lang="${content.language}">${escaped(doseSentence(line, content.language))}</span>`
          : "";
      const brand = line.substitution ? "" : `<small>${escaped(m.rx_no_substitution())}</small>`;
      return `<tbody><tr>${name}${cells}</tr><tr><td colspan="7" class="own">${[sentence, words, brand].filter(Boolean).join("<br>")}</td></tr></tbody>`;
    })
    .join("");
  // The head is repeated on each page: a long prescription names the patient there too, because Firefox prints no text in margins.
  const name = content.lines.length > 4 ? `, ${content.patient.name}, ${formatDate(content.date)}` : "";
  return `<table><thead><tr><th scope="col"><span class="big">Rx</span> ${escaped(m.rx_medicine() + name)}</th>${heads}</tr></thead>${rows}</table>`;
}

function adviceOf(content: PrescriptionContent): string {
  const list = (lang: typeof content.language) => content.advice.map((key) => adviceWord(key, lang)).join(" ");
  const advice = [list("en"), content.adviceWords].filter(Boolean).join(" ");
  const next = content.followUpOn;
  const parts = [
    content.lines.some((line) => line.substitution) &&
      `<p>${escaped(content.lines.every((line) => line.substitution) ? m.rx_substitution() : m.rx_substitution_others())}</p>`,
    advice && `<p><b>${escaped(m.rx_advice())}</b> ${escaped(advice)}</p>`,
    content.advice.length > 0 && content.language !== "en" && `<p>${own(content, m.rx_advice, () => list(content.language))}</p>`,
    next && `<p><b>${escaped(m.rx_next_visit())}</b> ${escaped(formatDayLong(next))}</p>`,
    next && content.language !== "en" && `<p>${own(content, m.rx_next_visit, () => formatDayLong(next))}</p>`,
  ];
  return `<section class="advice">${parts.filter(Boolean).join("")}</section>`;
}

function bodyOf(content: SignedContent): string {
  if (content.kind === "prescription") return adviceOf(content);
  return content.kind === "certificate" ? certificateOf(content) : testsOf(content);
}

function testsOf({ tests, words, language: lang }: OrderContent): string {
  const list = tests.map((test) => `<li>${escaped(test)}</li>`).join("");
  const bring = lang === "en" ? "" : withLanguage(lang, () => `<p lang="${lang}">${escaped(m.order_bring())}</p>`);
  return `<section class="body"><h2 class="big">${escaped(m.order_title())}</h2><ol>${list}</ol>${words ? `<p><b>${escaped(m.order_words())}</b> ${escaped(words)}</p>` : ""}<p>${escaped(m.order_bring())}</p>${bring}</section>`;
}

function certificateOf(content: Extract<SignedContent, { kind: "certificate" }>): string {
  const { type, words } = content;
  return `<section class="body"><h2 class="big">${escaped(certificateWord(type))}</h2><p>${escaped(certificateText(content))}</p>${words ? `<p>${escaped(words)}</p>` : ""}</section>`;
}
