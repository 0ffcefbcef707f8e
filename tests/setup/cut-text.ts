/** Finds text whose pixels are cut by the box around it: vowel signs of Telugu and Hindi reach above and below their line. */
import type { Page } from "@playwright/test";
import sharp from "sharp";

/** How far outside its edge a box shows its text while it is measured, in pixels. */
const ROOM = 24;
/** A difference of one colour value below this is the smoothing of a letter. */
const SMOOTHING = 64;

const TEXT_ALONE = `
  *, ::before, ::after { background: none !important; border-color: transparent !important; box-shadow: none !important; outline: 0 !important;
    animation: none !important; transition: none !important; color: #000 !important; caret-color: transparent !important;
    scroll-initial-target: none !important }
  svg, img, video, canvas, iframe, .sr-only, ::before, ::after { visibility: hidden !important }
  html { background: #fff !important }`;

/** Runs in the page: the policy of the page refuses `<style>`. */
export const addSheet = (rules: string) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
};

/**
 * Returns the boxes that cut their text, one line each. Compares the pixels of the text of the page as it is with those where no box clips, or, of boxes
 * that scroll to the side, none above and below. Everything else is not painted meanwhile. Leaves the page as it was.
 */
export async function cutTexts(page: Page): Promise<string[]> {
  await page.evaluate(addSheet, TEXT_ALONE);
  const boxes = await page.evaluate(markBoxes);
  const found = boxes.length ? await cutsIn(page, boxes) : [];
  await page.evaluate(closeBoxes);
  await page.evaluate(() => document.adoptedStyleSheets.pop());
  return found;
}

async function cutsIn(page: Page, boxes: ReturnType<typeof markBoxes>): Promise<string[]> {
  // Only the rows with boxes: a whole page with large text has ten times as many.
  const first = Math.max(0, Math.floor(Math.min(...boxes.map(({ top }) => top))) - ROOM);
  const last = Math.ceil(Math.max(...boxes.map(({ bottom }) => bottom))) + ROOM;
  const before = await pixelsOf(page, first, last);
  const moved = await page.evaluate(openBoxes, ROOM);
  const after = await pixelsOf(page, first, last);
  const found = new Set<string>(moved.map((text) => `moved while measured: ${text}`));
  for (const { name, left, top, right, bottom } of boxes) {
    let cut = 0;
    // What is shown now may make the page larger.
    const [width, height] = [Math.min(before.width, after.width), Math.min(before.height, after.height)];
    for (let y = Math.max(0, Math.floor(top) - ROOM - first); y < Math.min(height, Math.ceil(bottom) + ROOM - first); y++)
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, Math.ceil(right)); x++)
        if (before.data[y * before.width + x]! - after.data[y * after.width + x]! > SMOOTHING) cut++;
    if (cut > 0) found.add(`cut: ${cut} pixels of ${name}`);
  }
  return [...found];
}

/** The grey values of the rows from `first` to before `last`, or to the end of the page. */
async function pixelsOf(page: Page, first: number, last: number): Promise<{ data: Buffer; width: number; height: number }> {
  const [width, height] = await page.evaluate(() => [document.documentElement.clientWidth, document.documentElement.scrollHeight]);
  const clip = { x: 0, y: first, width: width!, height: Math.min(last, height!) - first };
  const png = await page.screenshot({ fullPage: true, clip, scale: "css", animations: "disabled" });
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Runs in the page: marks the boxes with text that clip or scroll, and returns where they are. */
function markBoxes(): { name: string; left: number; top: number; right: number; bottom: number }[] {
  const tall = /[\p{Script=Telugu}\p{Script=Devanagari}]/u;
  const found = [];
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    const own = getComputedStyle(element);
    const isClipped =
      [own.overflowX, own.overflowY].some((value) => value !== "visible") || own.clipPath !== "none" || own.contain.includes("paint");
    const text = element.textContent?.replace(/\s+/g, " ").trim() ?? "";
    if (!isClipped || !tall.test(text) || element.closest("svg, .sr-only, select, textarea") || !element.checkVisibility()) continue;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (right - left < 2 || bottom - top < 2) continue;
    // A box that scrolls loses its position once it clips.
    element.scrollTo(0, 0);
    // A list that scrolls downwards cuts what is above and below it.
    if (/auto|scroll/.test(own.overflowY) && element.scrollHeight > element.clientHeight + 1) continue;
    element.dataset.clips = /auto|scroll/.test(own.overflowX) ? "scrolls" : "hides";
    const name = `${element.tagName.toLowerCase()}.${element.className} "${text.slice(0, 40)}"`;
    found.push({ name, left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY });
  }
  return found;
}

/** Runs in the page: lets the marked boxes show what they cut. Returns the boxes that moved. */
function openBoxes(room: number): string[] {
  const marked = [...document.querySelectorAll<HTMLElement>("[data-clips]")];
  const placed = marked.map((element) => element.getBoundingClientRect());
  for (const element of marked) {
    // Clips far outside, so that the layout stays as it is: a box that clips nothing has other margins and widths.
    const rules =
      element.dataset.clips === "scrolls"
        ? { "overflow-x": "clip", "overflow-y": "visible" }
        : { overflow: "clip", "overflow-clip-margin": `${room}px`, "clip-path": "none" };
    for (const [name, value] of Object.entries(rules)) element.style.setProperty(name, value, "important");
  }
  return marked.flatMap((element, n) => {
    const [was, now] = [placed[n]!, element.getBoundingClientRect()];
    return Math.abs(now.left - was.left) + Math.abs(now.top - was.top) + Math.abs(now.bottom - was.bottom) > 1
      ? [`${element.tagName.toLowerCase()}.${element.className}`]
      : [];
  });
}

/** Runs in the page. */
function closeBoxes(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-clips]")) {
    for (const name of ["overflow", "overflow-clip-margin", "clip-path"]) element.style.removeProperty(name);
    delete element.dataset.clips;
  }
}
