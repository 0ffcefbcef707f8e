import sharp from "sharp";

/**
 * Draws images of invented medical records: a prescription, an X-ray, a scan, a report. Uses strokes only, because a machine may
 * have no fonts.
 */
export type RecordKind = "prescription" | "xray" | "ct_scan" | "other";
const WIDTH = 900;
const HEIGHT = 1200;

/** Returns a seeded random generator: the same image is drawn each time. */
export function dice(seed: number) {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}

export const stroke = (d: string, color: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** Draws a word of random handwriting. */
export function scribble(roll: () => number, x: number, y: number, length: number, size: number): string {
  let d = `M${x} ${y}`;
  for (let at = 0; at < length; at += size * 0.7) {
    const tall = roll() < 0.22 ? 1.9 : 0.8;
    d += ` q${(size * 0.2).toFixed(1)} ${(-size * tall).toFixed(1)} ${(size * 0.4).toFixed(1)} ${(-roll() * 4).toFixed(1)} t${(size * 0.3).toFixed(1)} ${(roll() * 6 - 3).toFixed(1)}`;
  }
  return d;
}
export function lines(roll: () => number, from: number, count: number, gap: number, color: string, size: number): string {
  return Array.from({ length: count }, (_, i) => {
    const y = from + i * gap;
    let x = 110 + roll() * 30;
    let out = "";
    while (x < 620) {
      const length = 60 + roll() * 150;
      out += stroke(scribble(roll, x, y, Math.min(length, 760 - x), size), color, 3);
      x += length + 34;
    }
    return out;
  }).join("");
}

// "DEMO" marks the record as invented.
const DEMO = stroke(
  "M0 0v60h18q26-4 26-30t-26-30z M110 0H72v60h38M72 30h30 M138 60V0l26 34 26-34v60 M244 0q28 2 28 30t-28 30q-28-2-28-30t28-30z",
  "#b4532a",
  7,
);
export const stamp = `<g transform="translate(560 1080) rotate(-8)" opacity=".75"><rect x="-26" y="-24" width="326" height="108" rx="14" fill="none" stroke="#b4532a" stroke-width="6"/>${DEMO}</g>`;

const head = (roll: () => number) =>
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="#f7f3e8"/><rect x="60" y="60" width="780" height="1080" fill="#fffdf7" stroke="#d9d2bf" stroke-width="2"/>` +
  `<path d="M110 170h680" stroke="#0d5c63" stroke-width="4"/>${stroke(scribble(roll, 110, 130, 260, 26), "#0d5c63", 5)}${stroke(scribble(roll, 560, 130, 180, 16), "#5d6b6b", 3)}`;

function prescription(roll: () => number): string {
  const rx = stroke("M120 300v-90h34q28 2 28 24t-28 24h-34 M154 258l52 66 M206 258l-46 66", "#1f2a2a", 6);
  return head(roll) + rx + lines(roll, 400, 5, 96, "#24407a", 22) + stroke(scribble(roll, 540, 960, 210, 28), "#24407a", 4) + stamp;
}
function report(roll: () => number): string {
  const grid = Array.from({ length: 7 }, (_, i) => `<path d="M110 ${260 + i * 70}h680" stroke="#d9d2bf" stroke-width="2"/>`).join("");
  return head(roll) + grid + lines(roll, 300, 6, 70, "#39434a", 16) + lines(roll, 800, 3, 70, "#39434a", 16) + stamp;
}
function xray(roll: () => number): string {
  const ribs = Array.from({ length: 8 }, (_, i) => {
    const y = 330 + i * 74;
    const w = 150 + i * 14 + roll() * 8;
    return `<path d="M440 ${y} q${-w} ${-30} ${-w} 90 M460 ${y} q${w} ${-30} ${w} 90" fill="none" stroke="#cfd8dc" stroke-width="20" stroke-linecap="round" opacity=".42"/>`;
  }).join("");
  const spine = Array.from(
    { length: 17 },
    (_, i) => `<rect x="424" y="${250 + i * 42}" width="52" height="34" rx="10" fill="#dfe6e9" opacity=".5"/>`,
  ).join("");
  return (
    `<defs><radialGradient id="g" cy=".45" r=".6"><stop offset="0" stop-color="#56646c"/><stop offset="1" stop-color="#0a0d10"/></radialGradient></defs>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/><ellipse cx="520" cy="760" rx="130" ry="170" fill="#aebac0" opacity=".35"/>` +
    `<path d="M440 270q-150-40-270 20M460 270q150-40 270 20" stroke="#e3eaed" stroke-width="26" fill="none" stroke-linecap="round" opacity=".6"/>${ribs}${spine}${stamp}`
  );
}
function scan(roll: () => number): string {
  const slices = Array.from({ length: 4 }, (_, i) => {
    const x = 250 + (i % 2) * 400;
    const y = 330 + Math.floor(i / 2) * 430;
    const r = 120 + roll() * 30;
    return `<g fill="none" stroke="#e8eef0"><ellipse cx="${x}" cy="${y}" rx="165" ry="195" fill="#3a444a" stroke-width="14"/><ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r + 22}" fill="#5a676e" stroke-width="2" opacity=".8"/><path d="M${x} ${y - 150}v300" stroke-width="3" opacity=".6"/><path d="M${x - 50} ${y - 20}q50 ${-60 - roll() * 20} 100 0q-50 60-100 0z" fill="#20272b" stroke="none"/></g>`;
  }).join("");
  return `<rect width="${WIDTH}" height="${HEIGHT}" fill="#0a0d10"/>${slices}${stamp}`;
}

const DRAW: Record<RecordKind, (roll: () => number) => string> = { prescription, xray, ct_scan: scan, other: report };

/** Returns a small JPEG of a record. */
export async function drawRecord(kind: RecordKind, seed: number): Promise<{ bytes: Buffer; width: number; height: number }> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${DRAW[kind](dice(seed + 1))}</svg>`;
  const bytes = await sharp(Buffer.from(svg)).jpeg({ quality: 62, progressive: true }).toBuffer();
  return { bytes, width: WIDTH, height: HEIGHT };
}
