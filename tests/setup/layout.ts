/**
 * Finds layout errors by measuring boxes: content outside the screen, clipped or overlapping text, touch targets too small,
 * Telugu and Hindi lines too close, text of another language.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import type { Language } from "#app/lib/language.ts";

const MESSAGES = resolve(import.meta.dirname, "../../app/messages");

/** Returns the texts of the other languages that must not appear on a page in `other`. */
function sentencesNotOf(other: Language): { exact: Set<string>; shapes: RegExp[] } {
  const exact = new Set<string>();
  const shapes: RegExp[] = [];
  for (const file of readdirSync(join(MESSAGES, "en"))) {
    const read = (language: Language) => JSON.parse(readFileSync(join(MESSAGES, language, file), "utf8")) as Record<string, unknown>;
    const [english, theirs] = [read("en"), read(other)];
    for (const [key, sentence] of Object.entries(english)) {
      // Plural forms (one, other) are compared one by one.
      for (const text of formsOf(sentence)) {
        if (formsOf(theirs[key]).includes(text)) continue;
        const fixed = text.split(/\{[^}]*\}/);
        if (fixed.length === 1) exact.add(text);
        // Patterns need enough fixed text: "{count} h" would match in any language.
        else if (/[a-z]{3,}.*\s.*[a-z]{2,}/i.test(fixed.join(" ")))
          shapes.push(new RegExp(`^${fixed.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".+")}$`, "s"));
      }
    }
  }
  return { exact, shapes };
}
function formsOf(sentence: unknown): string[] {
  if (typeof sentence === "string") return [sentence];
  if (Array.isArray(sentence)) return sentence.flatMap((one: { match?: Record<string, string> }) => Object.values(one.match ?? {}));
  return [];
}
const known = new Map<Language, ReturnType<typeof sentencesNotOf>>();
function sentencesMissedIn(language: Language) {
  if (language === "en") return { exact: new Set<string>(), shapes: [] };
  const found = known.get(language) ?? sentencesNotOf(language);
  known.set(language, found);
  return found;
}

/** A sentence in Devanagari that ends with a Latin full stop. "डॉ." and, in addresses, "नं." and "एम.जी." are abbreviations. */
const LATIN_STOP = /[\u0900-\u097f](?<!डॉ|नं|एम|जी)\.(\s|$)/;

/** Returns the texts that are in another language than their page, and sentences that end as in another language. */
export function inOtherLanguage(words: string[], language: Language): string[] {
  const { exact, shapes } = sentencesMissedIn(language);
  const untranslated = words
    .filter((text) => exact.has(text) || shapes.some((shape) => shape.test(text)))
    .map((text) => `English: "${text}"`);
  const stops = language === "hi" ? words.filter((text) => LATIN_STOP.test(text)).map((text) => `Latin full stop: "${text}"`) : [];
  return [...untranslated, ...stops];
}

/** Returns the layout errors of the page, one line each: `cut: "…" in button.btn`. */
export async function faultsOfLayout(page: Page, language: Language): Promise<string[]> {
  const { faults, words } = await page.evaluate(measure, language as string);
  return [...faults, ...inOtherLanguage(words, language)];
}

/** Returns the layout errors at twice the default font size, which users set in the browser or the phone. */
export async function faultsOfLargeText(page: Page, language: Language): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const setFontSize = (standard: number) => devtools.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
  await setFontSize(32);
  const faults = await faultsOfLayout(page, language);
  await setFontSize(16);
  await devtools.detach();
  // A placeholder may be longer than its field: the label is above it.
  return faults.filter((fault) => !fault.startsWith("cut in a field")).map((fault) => `twice as large: ${fault}`);
}

/** Runs in the page: words inside `within` that the end of a line splits. A hyphen or slash is a place to break. */
export function splitWords(within: string): string[] {
  const found = new Set<string>();
  for (const element of document.querySelectorAll(within)) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent?.checkVisibility() || parent.closest("script, style, .vh, .sr-only, code, select, textarea")) continue;
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[^\s\-/@._–]+/g)) {
        // A soft hyphen is a place to break.
        if (word.includes("\u00ad")) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0.5).map(({ top }) => Math.round(top / 4)));
        if (lines.size > 1) found.add(`split: "${word}" in ${parent.tagName.toLowerCase()}.${parent.className}`);
      }
    }
  }
  return [...found];
}

/** Runs in the page. */
function measure(language: string): { faults: string[]; words: string[] } {
  type Box = { left: number; top: number; right: number; bottom: number };
  const SLACK = 1.5;
  const TALL = /[\p{Script=Telugu}\p{Script=Devanagari}]/u;
  const WIDTH = document.documentElement.clientWidth;
  const faults: string[] = [];
  const add = (fault: string) => {
    if (!faults.includes(fault)) faults.push(fault);
  };
  const styles = new Map<Element, CSSStyleDeclaration>();
  const style = (element: Element): CSSStyleDeclaration => {
    let found = styles.get(element);
    if (!found) {
      found = getComputedStyle(element);
      styles.set(element, found);
    }
    return found;
  };
  const short = (text: string) => {
    const plain = text.replace(/\s+/g, " ").trim();
    return plain.length > 50 ? `${plain.slice(0, 50)}…` : plain;
  };
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()}${[...element.classList].map((one) => `.${one}`).join("")} "${short(
      element.textContent || element.getAttribute("aria-label") || element.getAttribute("name") || "",
    )}"`;
  const size = (box: Box) => ({ width: box.right - box.left, height: box.bottom - box.top });
  function* up(from: Element | null): Generator<Element> {
    for (let at = from; at && at !== document.documentElement; at = at.parentElement) yield at;
  }
  const hidden = (element: Element) => {
    // Content of a closed <details> has boxes too.
    if (!element.checkVisibility()) return true;
    for (const at of up(element)) {
      if (at.matches(".vh, .sr-only, .skip, dialog:not([open]):not(:target)")) return true;
      const { clipPath, display, visibility, opacity } = style(at);
      if (display === "none" || visibility !== "visible" || clipPath === "inset(50%)") return true;
      if (opacity === "0" && !at.matches("input")) return true;
    }
    return false;
  };
  const isPainted = (element: Element) => {
    const own = style(element);
    return Number.parseFloat(own.borderTopWidth) > 0 || !/rgba\(0, 0, 0, 0\)|transparent/.test(own.backgroundColor);
  };
  const clips = (value: string) => value === "hidden" || value === "clip";
  const scrolls = (element: Element) => /auto|scroll/.test(style(element).overflowX);
  /** Returns the fixed or sticky ancestor. */
  const floor = (element: Element) => [...up(element)].find((at) => /fixed|sticky/.test(style(at).position)) ?? null;

  // The document, and its language.
  if (document.documentElement.lang !== language) add(`lang is "${document.documentElement.lang}"`);
  if (document.documentElement.scrollWidth > WIDTH) add(`the page is ${document.documentElement.scrollWidth} px wide, the screen ${WIDTH}`);

  // Text boxes, line by line.
  type Words = { element: Element; text: string; lines: Box[]; ink: Box[] };
  const texts: Words[] = [];
  const shown: string[] = [document.title, ...document.title.split(/ [-–·|] /)];
  const ofThisPage = (element: Element) => (element.closest("[lang]") as HTMLElement | null)?.lang === language;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim();
    if (!element || !text || element.closest("script, style, noscript, template, symbol")) continue;
    if (ofThisPage(element)) shown.push(text);
    if (element.closest("option, textarea") || hidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5);
    if (lines.length === 0) continue;
    // The box of a line fits the tallest glyph of the font; Latin characters and digits are lower.
    const em = Number.parseFloat(style(element).fontSize) * (TALL.test(text) ? 1.15 : 0.9);
    const ink = lines.map(({ left, right, top, bottom }) => {
      const spare = Math.max(0, (bottom - top - em) / 2);
      return { left, right, top: top + spare, bottom: bottom - spare };
    });
    texts.push({ element, text, lines, ink });
  }
  for (const element of document.body.querySelectorAll("*")) {
    if (!ofThisPage(element)) continue;
    for (const attribute of ["aria-label", "title", "placeholder", "alt", "aria-description", "aria-valuetext"]) {
      const value = element.getAttribute(attribute)?.trim();
      if (value) shown.push(value);
    }
    // A sentence of several text nodes.
    if (element.childNodes.length > 1 && [...element.childNodes].every(({ nodeType }) => nodeType !== Node.ELEMENT_NODE))
      shown.push(element.textContent?.trim() ?? "");
    if (element instanceof HTMLInputElement && /submit|button|reset/.test(element.type)) shown.push(element.value);
  }
  const meta = document.querySelector('meta[name="description"]')?.getAttribute("content");
  if (meta) shown.push(meta);

  // Text outside the screen, clipped, or out of its box.
  for (const { element, text, lines, ink } of texts) {
    const box = {
      left: Math.min(...ink.map(({ left }) => left)),
      right: Math.max(...ink.map(({ right }) => right)),
      top: Math.min(...ink.map(({ top }) => top)),
      bottom: Math.max(...ink.map(({ bottom }) => bottom)),
    };
    let free = false;
    let boxed = false;
    for (const at of up(element)) {
      const own = style(at);
      const outer = at.getBoundingClientRect();
      if (clips(own.textOverflow) === false && own.textOverflow === "ellipsis" && at.scrollWidth > at.clientWidth + 1)
        add(`cut with dots: "${short(text)}" in ${name(at)}`);
      if (own.webkitLineClamp !== "none" && at.scrollHeight > at.clientHeight + 1) add(`lines cut: "${short(text)}" in ${name(at)}`);
      if (clips(own.overflowX) && (box.right > outer.right + SLACK || box.left < outer.left - SLACK))
        add(`cut at the side: "${short(text)}" in ${name(at)}`);
      if (clips(own.overflowY) && (box.bottom > outer.bottom + SLACK || box.top < outer.top - SLACK))
        add(`cut in height: "${short(text)}" in ${name(at)}`);
      const painted =
        own.display !== "inline" &&
        (Number.parseFloat(own.borderTopWidth) > 0 ||
          !/rgba\(0, 0, 0, 0\)|transparent/.test(own.backgroundColor) ||
          at.matches("a, button"));
      if (painted && !boxed && !free && at !== document.body) {
        boxed = true;
        const over = [
          outer.left - box.left > SLACK && "left",
          box.right - outer.right > SLACK && "right",
          outer.top - box.top > SLACK && "top",
          box.bottom - outer.bottom > SLACK && "bottom",
        ].filter(Boolean);
        if (over.length > 0) add(`out of its box (${over.join(", ")}): "${short(text)}" in ${name(at)}`);
      }
      if (scrolls(at)) {
        free = true;
        break;
      }
    }
    if (!free && (box.right > WIDTH + SLACK || box.left < -SLACK)) add(`beside the screen: "${short(text)}" in ${name(element)}`);
    // Tall scripts need more line height.
    if (language !== "en" && ofThisPage(element)) {
      const tops = new Set(lines.map(({ top }) => Math.round(top)));
      const ratio = Number.parseFloat(style(element).lineHeight) / Number.parseFloat(style(element).fontSize);
      const least = element.closest("h1, h2, h3, a, button, label, .badge, .dock") ? 1.3 : 1.5;
      if (tops.size > 1 && ratio < least && TALL.test(text))
        add(`lines too close (${ratio.toFixed(2)}): "${short(text)}" in ${name(element)}`);
    }
  }
  // The words of a quiet button without padding begin where the lines above begin.
  for (const link of document.querySelectorAll(".btn.quiet")) {
    const outer = style(link.parentElement!);
    const edge =
      link.parentElement!.getBoundingClientRect().left + Number.parseFloat(outer.paddingLeft) + Number.parseFloat(outer.borderLeftWidth);
    if (hidden(link) || style(link).paddingLeft !== "0px" || Math.abs(link.getBoundingClientRect().left - edge) > 2 * SLACK) continue;
    const range = document.createRange();
    range.selectNodeContents(link);
    const off = range.getBoundingClientRect().left - edge;
    if (Math.abs(off) > SLACK) add(`not aligned (${off} px): ${name(link)}`);
  }
  const running = Number.parseFloat(style(document.body).lineHeight) / Number.parseFloat(style(document.body).fontSize);
  if (language !== "en" && running < 1.65 - 0.01) add(`the page's line height is ${running}`);

  // Placeholders and chosen options must fit their field.
  const ruler = document.createElement("span");
  ruler.style.cssText = "position:absolute;visibility:hidden;white-space:pre;left:0;top:0";
  document.body.append(ruler);
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) {
    if (hidden(field) || /hidden|radio|checkbox|file|password/.test(field.type)) continue;
    // Typed text may be longer than its field, which scrolls.
    if (field.value && /^(text|search|email|url)$/.test(field.type)) continue;
    const text = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.textContent : field.value || field.placeholder;
    if (!text) continue;
    const own = style(field);
    ruler.style.font = (text === field.getAttribute("placeholder") ? getComputedStyle(field, "::placeholder") : own).font;
    ruler.style.letterSpacing = own.letterSpacing;
    ruler.textContent = text;
    const room = field.clientWidth - Number.parseFloat(own.paddingLeft) - Number.parseFloat(own.paddingRight);
    const wanted = ruler.getBoundingClientRect().width;
    if (wanted > room + SLACK) add(`cut in a field (${Math.round(wanted)} in ${Math.round(room)} px): "${short(text)}"`);
    const tall = field.clientHeight - Number.parseFloat(own.fontSize) * 1.15;
    if (tall < 0) add(`too low for its letters: field "${short(text)}"`);
  }
  ruler.remove();

  // Controls: touch targets.
  type Control = {
    element: Element;
    /** Boxes that react to a tap. */
    boxes: Box[];
    /** Visible boxes: the whole control when it has a border or background, otherwise its content. */
    seen: Box[];
    /** Covers its whole card: controls on top of it take precedence. */
    over: boolean;
  };
  const controls: Control[] = [];
  const PRESSED = "a[href], button, input, select, textarea, summary, label:has(input)";
  for (const element of document.querySelectorAll(PRESSED)) {
    if (element.matches("[type=hidden]") || hidden(element)) continue;
    // A tap on the label selects the radio or checkbox inside it.
    if (element.matches("label input")) continue;
    let rects = [...element.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5) as Box[];
    if (rects.length === 0) continue;
    const first = element.getBoundingClientRect();
    let box: Box = first;
    let over = false;
    const after = getComputedStyle(element, "::after");
    if (after.position === "absolute" && after.content !== "none" && after.inset === "0px") {
      const whole = [...up(element)].find((at) => style(at).position !== "static");
      if (whole) box = whole.getBoundingClientRect();
      over = whole !== undefined;
    }
    if (element instanceof HTMLInputElement && element.matches("[type=radio], [type=checkbox], [type=file]")) {
      const label = element.labels?.[0]?.getBoundingClientRect();
      if (label)
        box = {
          left: Math.min(box.left, label.left),
          right: Math.max(box.right, label.right),
          top: Math.min(box.top, label.top),
          bottom: Math.max(box.bottom, label.bottom),
        };
    }
    if (style(element).display !== "inline") rects = [first];
    const children = [...element.children].map((child) => child.getBoundingClientRect());
    const seen = isPainted(element) || children.length === 0 || style(element).display === "inline" ? rects : children;
    controls.push({ element, boxes: rects, seen, over });
    const scroller = [...up(element)].some((at) => at !== element && scrolls(at));
    if (!scroller && (first.right > WIDTH + SLACK || first.left < -SLACK)) add(`beside the screen: ${name(element)}`);
    // Links in a sentence are exempt from the target size.
    const inSentence =
      style(element).display === "inline" &&
      [...(element.parentElement?.childNodes ?? [])].some((other) => other.nodeType === Node.TEXT_NODE && other.textContent?.trim());
    const { width, height } = size(box);
    if (!inSentence && (width < 43.5 || height < 43.5)) add(`target ${Math.round(width)}×${Math.round(height)} px: ${name(element)}`);
  }

  const meet = (a: Box, b: Box, by: number) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > by && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > by;
  const anyMeet = (a: Box[], b: Box[], by: number) => a.some((one) => b.some((other) => meet(one, other, by)));
  const related = (a: Element, b: Element) => a.contains(b) || b.contains(a);
  controls.forEach((one, index) => {
    for (const other of controls.slice(index + 1)) {
      if (related(one.element, other.element) || floor(one.element) !== floor(other.element)) continue;
      // "Show password" is inside the frame of its field, which has a padding for it.
      if (one.element.matches("input") && one.element.parentElement === other.element.parentElement) {
        const free = one.element.getBoundingClientRect().right - Number.parseFloat(style(one.element).paddingRight);
        if (other.element.getBoundingClientRect().left >= free - SLACK) continue;
      }
      const boxes = (control: Control) => (one.over || other.over ? control.seen : control.boxes);
      if (anyMeet(boxes(one), boxes(other), 2)) add(`one over the other: ${name(one.element)} and ${name(other.element)}`);
    }
    for (const { element, text, ink } of texts) {
      if (related(one.element, element) || floor(one.element) !== floor(element)) continue;
      const label = one.element instanceof HTMLInputElement && [...(one.element.labels ?? [])].some((own) => own.contains(element));
      if (!label && anyMeet(one.seen, ink, 2)) add(`"${short(text)}" under ${name(one.element)}`);
    }
  });
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1)) {
      if (one.element === other.element || floor(one.element) !== floor(other.element)) continue;
      if (anyMeet(one.ink, other.ink, 2)) add(`"${short(one.text)}" over "${short(other.text)}"`);
    }
  });
  // At the end of the page no floating element may cover a control: scrolling could not uncover it.
  window.scrollTo(0, document.documentElement.scrollHeight);
  // A floating element finds its place when the page scrolls: the browser's own event would come later.
  window.dispatchEvent(new Event("scroll"));
  const floats = controls.filter(({ element }) => [...up(element)].some((at) => style(at).position === "fixed"));
  for (const { element } of controls) {
    // Controls below an open dialog are inactive.
    if (floor(element) || (document.querySelector("dialog[open]") && !element.closest("dialog"))) continue;
    const box = element.getBoundingClientRect();
    for (const float of floats)
      if (meet(box, float.element.getBoundingClientRect(), 2)) add(`never free: ${name(element)} under ${name(float.element)}`);
  }
  window.scrollTo(0, 0);
  return { faults, words: [...new Set(shown.map((text) => text.replace(/\s+/g, " ").trim()))] };
}
