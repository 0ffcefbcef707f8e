/** Reads the texts of a page from its HTML as a browser shows or speaks them, without a browser. */
import type { Language } from "#app/lib/language.ts";
import { inOtherLanguage } from "./layout.ts";

const TOKEN = /<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-z][\w-]*)((?:"[^"]*"|[^">])*)>|[^<]+/gi;
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
/** Their content is no text of the page. */
const SILENT = /^(script|style|noscript|template|symbol)$/;
const SPOKEN = ["aria-label", "title", "placeholder", "alt", "aria-description", "aria-valuetext"];

const plain = (text: string) =>
  text
    .replaceAll("&nbsp;", " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(`\\s${name}="([^"]*)"`, "i").exec(attributes);
  return found ? plain(found[1] ?? "") : null;
}

/** Returns texts, spoken attributes, labels of buttons, title and description, except of parts marked as another language. */
export function wordsOf(html: string, language: Language): string[] {
  type Open = { name: string; lang: string; silent: boolean; texts: string[]; hasChildren: boolean };
  const words: string[] = [];
  const open: Open[] = [{ name: "", lang: "", silent: false, texts: [], hasChildren: false }];
  const close = ({ texts, hasChildren, silent, lang, name }: Open) => {
    if (silent || lang !== language) return;
    words.push(...texts);
    // A sentence of several pieces, which React separates with comments.
    if (!hasChildren && texts.length > 1) words.push(plain(texts.join("")));
    if (name === "title") words.push(...texts.flatMap((text) => text.split(/ [-–·|] /)));
  };
  for (const [whole, slash, tag, attributes = ""] of html.matchAll(TOKEN)) {
    const last = open.at(-1)!;
    if (!tag) {
      if (!whole.startsWith("<")) last.texts.push(whole);
      continue;
    }
    const name = tag.toLowerCase();
    if (slash) {
      if (last.silent && last.name !== name) continue;
      while (open.length > 1) {
        const ended = open.pop()!;
        close(ended);
        if (ended.name === name) break;
      }
      continue;
    }
    if (last.silent && /^(script|style|noscript)$/.test(last.name)) continue;
    last.hasChildren = true;
    const element: Open = {
      name,
      lang: attribute(attributes, "lang") ?? last.lang,
      silent: last.silent || SILENT.test(name),
      texts: [],
      hasChildren: false,
    };
    if (!element.silent && element.lang === language) {
      for (const one of SPOKEN) words.push(attribute(attributes, one) ?? "");
      if (name === "input" && /type="(submit|button|reset)"/.test(attributes)) words.push(attribute(attributes, "value") ?? "");
      if (name === "meta" && /name="description"/.test(attributes)) words.push(attribute(attributes, "content") ?? "");
    }
    if (VOID.test(name) || attributes.endsWith("/")) continue;
    open.push(element);
  }
  while (open.length) close(open.pop()!);
  return [...new Set(words.map(plain))].filter(Boolean);
}

/** Returns what is wrong with the language of a page, one line each: `English: "…"`. */
export function faultsOfLanguage(html: string, language: Language): string[] {
  const lang = /<html[^>]*\slang="([^"]*)"/i.exec(html)?.[1];
  return [...(lang === language ? [] : [`lang is "${lang}"`]), ...inOtherLanguage(wordsOf(html, language), language)];
}
