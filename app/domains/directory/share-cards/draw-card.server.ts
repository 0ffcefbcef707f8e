import { createRequire } from "node:module";
import sharp, { type OverlayOptions, type Sharp } from "sharp";
import { drawImage } from "#app/domains/platform/files/images.server.ts";
import { MARK } from "#app/lib/mark.ts";
import { m } from "#app/paraglide/messages.js";
import type { CardContent } from "./content.server.ts";

/** Size of Open Graph images. */
const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 72;
const BAND = 124;
/** Diameter of a photo in pixels. */
const DISC = 300;
const COLORS = {
  ink: "#10242a",
  soft: "#3a4c52",
  ground: "#fbf8f1",
  brand: "#0b5566",
  brandSoft: "#ddedef",
  deep: "#073b48",
  onDeep: "#ffffff",
  onDeepSoft: "#cfe4e8",
  haldi: "#f2a900",
} as const;

// Pango takes glyphs that one font lacks from the next. Only TTF: libvips does not read WOFF.
const FAMILIES = "Roboto, Noto Sans Telugu, Noto Sans Devanagari";
const FONTS = [
  "@expo-google-fonts/roboto/400Regular/Roboto_400Regular.ttf",
  "@expo-google-fonts/roboto/700Bold/Roboto_700Bold.ttf",
  "@expo-google-fonts/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf",
  "@expo-google-fonts/noto-sans-telugu/700Bold/NotoSansTelugu_700Bold.ttf",
  "@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf",
  "@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf",
];
let fonts: Promise<void> | undefined;
/** Loads the fonts into this process: a `fontfile` used once is available to later texts. */
function loadFonts(): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  fonts ??= (async () => {
    for (const file of FONTS) await sharp({ text: { text: "N", font: FAMILIES, fontfile: resolve(file) } }).toBuffer();
  })();
  fonts.catch(() => {
    fonts = undefined;
  });
  return fonts;
}

/** Characters of FONTS. Other scripts would be drawn as boxes. */
const DRAWABLE = /^[\p{Script=Latin}\p{Script=Telugu}\p{Script=Devanagari}\p{Script=Common}\p{Script=Inherited}]+$/u;
const UNDRAWABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Extended_Pictographic}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Returns the text with at most `most` characters, or "" when the fonts lack its script. */
function drawable(text: string, most: number): string {
  const plain = text.replace(UNDRAWABLE, " ").replace(/\s+/g, " ").trim();
  if (!DRAWABLE.test(plain)) return "";
  const letters = [...new Intl.Segmenter().segment(plain)].map(({ segment }) => segment);
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join("")
        .trim()}…`
    : plain;
}
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

type Layer = { input: Buffer; raw: { width: number; height: number; channels: 4 } };
type TextStyle = { size: number; color: string; bold?: boolean; width?: number };

/** Draws text on a transparent background. `size` in pixels. Wraps lines at `width`. */
const drawText = (text: string, style: TextStyle): Promise<Layer> => drawMarkup(escaped(text), style);

/** The same for Pango markup. */
async function drawMarkup(words: string, { size, color, bold, width = WIDTH }: TextStyle): Promise<Layer> {
  const markup = `<span foreground="${color}" size="${size * 1024}" weight="${bold ? 700 : 400}">${words}</span>`;
  const { data, info } = await sharp({
    text: { text: markup, font: FAMILIES, width, rgba: true, dpi: 72, wrap: "word-char" },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } };
}

/** Draws text in the largest of the sizes that fits `height`. */
async function fitText(text: string, sizes: number[], height: number, style: Omit<TextStyle, "size">): Promise<Layer> {
  let layer = await drawText(text, { ...style, size: sizes[0]! });
  for (const size of sizes.slice(1)) {
    if (layer.raw.height <= height) return layer;
    layer = await drawText(text, { ...style, size });
  }
  return layer;
}

const svg = (width: number, height: number, content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);
const at = (layer: Layer, left: number, top: number): OverlayOptions => ({ ...layer, left: Math.round(left), top: Math.round(top) });

/** Icons of 24 × 24 for cards without a photo. */
const SIGNS: Record<CardContent["kind"], string> = {
  doctor: '<circle cx="12" cy="8.5" r="4"/><path d="M4.500 20.500a7.500 7.500 0 0 1 15 0"/>',
  hospital: '<path d="M5 21V5a1.500 1.500 0 0 1 1.500-1.500h11A1.500 1.500 0 0 1 19 5v16M3 21h18M12 7v6M9 10h6M10 21v-4h4v4"/>',
  nadi: "",
};
const STAR = "M12 2.500 14.900 8.600l6.600.900-4.800 4.600 1.200 6.600L12 17.500l-5.900 3.200 1.200-6.600L2.500 9.500l6.600-.900Z";

/** Returns the photo, or the icon of its kind, in a circle. */
async function drawDisc(kind: CardContent["kind"], photo: Buffer | null): Promise<Buffer> {
  const circle = `<circle cx="${DISC / 2}" cy="${DISC / 2}" r="${DISC / 2}"`;
  if (!photo) {
    const sign = `<g transform="translate(70 70) scale(6.6)" fill="none" stroke="${COLORS.brand}" stroke-width="1.600" stroke-linecap="round" stroke-linejoin="round">${SIGNS[kind]}</g>`;
    return svg(DISC, DISC, `${circle} fill="${COLORS.brandSoft}"/>${sign}`);
  }
  return sharp(photo)
    .resize(DISC, DISC)
    .ensureAlpha()
    .composite([{ input: svg(DISC, DISC, `${circle}/>`), blend: "dest-in" }])
    .png()
    .toBuffer();
}

/** Draws the band at the bottom in one line with a common baseline: rating and fee. */
async function drawFacts({ rating, facts }: CardContent): Promise<OverlayOptions[]> {
  const average =
    rating && `<b>${rating.average}</b>  <span foreground="${COLORS.onDeepSoft}">${escaped(drawable(rating.reviews, 30))}</span>`;
  const parts = [...(average ? [average] : []), ...facts.map((fact) => escaped(drawable(fact, 40)))];
  if (parts.length === 0) return [];
  const style = { size: 34, color: COLORS.onDeep };
  const layer = await drawMarkup(parts.join("        "), style);
  const left = MARGIN + (average ? 52 : 0);
  const middle = HEIGHT - BAND / 2;
  const star = svg(40, 40, `<path transform="scale(1.667)" fill="${COLORS.haldi}" d="${STAR}"/>`);
  const words = left + layer.raw.width > WIDTH ? await drawMarkup(parts[0] ?? "", style) : layer;
  return [...(average ? [{ input: star, left: MARGIN, top: middle - 22 }] : []), at(words, left, middle - words.raw.height / 2)];
}

/** Draws the card of Nadi: logo, name and description. */
async function drawSite({ title, lines }: CardContent): Promise<Sharp> {
  const name = await drawText(m.common_app_name(), { size: 88, color: COLORS.onDeep, bold: true });
  const heading = await fitText(title, [64, 56, 48], 190, { color: COLORS.onDeep, bold: true, width: WIDTH - 2 * MARGIN });
  const more = await fitText(lines[0] ?? "", [36, 32], 120, { color: COLORS.onDeepSoft, width: WIDTH - 2 * MARGIN });
  const ground = svg(
    WIDTH,
    HEIGHT,
    `<rect width="100%" height="100%" fill="${COLORS.deep}"/><path transform="translate(${MARGIN - 6} 72) scale(3.500)" fill="${COLORS.onDeep}" d="${MARK}"/><path d="M0 566h840l22-52 40 92 26-40h272" fill="none" stroke="${COLORS.haldi}" stroke-width="8" stroke-linejoin="round"/>`,
  );
  const top = 224;
  return sharp(ground).composite([
    at(name, MARGIN + 136, 128 - name.raw.height / 2),
    at(heading, MARGIN, top),
    at(more, MARGIN, top + heading.raw.height + 36),
  ]);
}

/** Draws the card of a doctor or hospital: name, kind and city next to a photo or icon, figures below. */
async function drawListed(content: CardContent, photo: Buffer | null): Promise<Sharp> {
  const room = WIDTH - 2 * MARGIN - DISC - 56;
  const lines = content.lines.map((line) => drawable(line, 60)).filter(Boolean);
  // For a name in a script that the fonts lack, shows the specialty or kind instead.
  const title = drawable(content.title, 80) || lines.shift() || m.common_app_name();
  const name = await drawText(m.common_app_name(), { size: 44, color: COLORS.brand, bold: true });
  const head = await fitText(title, [68, 58, 50, 42], 190, { color: COLORS.ink, bold: true, width: room });
  const below = await Promise.all(lines.map((line, i) => drawText(line, { size: i === 0 ? 42 : 36, color: COLORS.soft, width: room })));
  const tall = head.raw.height + below.reduce((sum, layer) => sum + 30 + layer.raw.height, 0);
  const [from, to] = [148, HEIGHT - BAND - 24];
  let top = Math.max(from, from + (to - from - tall) / 2);
  const layers = [at(name, MARGIN + 76, 88 - name.raw.height / 2), at(head, MARGIN, top)];
  top += head.raw.height;
  for (const layer of below) {
    layers.push(at(layer, MARGIN, top + 30));
    top += 30 + layer.raw.height;
  }
  const ground = svg(
    WIDTH,
    HEIGHT,
    `<rect width="100%" height="100%" fill="${COLORS.ground}"/><rect y="${HEIGHT - BAND}" width="100%" height="${BAND}" fill="${COLORS.deep}"/><path transform="translate(${MARGIN - 4} 56) scale(2)" fill="${COLORS.brand}" d="${MARK}"/>`,
  );
  const disc = { input: await drawDisc(content.kind, photo), left: WIDTH - MARGIN - DISC, top: (HEIGHT - BAND - DISC) / 2 + 20 };
  return sharp(ground).composite([disc, ...layers, ...(await drawFacts(content))]);
}

/** Draws a card as a PNG of 1200 × 630. @throws DomainError("unavailable") when too many images are waiting */
export function drawCard(content: CardContent, photo: Buffer | null): Promise<Buffer> {
  return drawImage(WIDTH * HEIGHT, async () => {
    await loadFonts();
    const card = await (content.kind === "nadi" ? drawSite(content) : drawListed(content, photo));
    return card.png({ palette: true, effort: 4 }).toBuffer();
  });
}
