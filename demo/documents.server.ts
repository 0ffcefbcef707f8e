import sharp from "sharp";
import type { DocumentKind } from "#app/db/schema/index.ts";
import { dice, lines, scribble, stamp, stroke } from "./pictures.server.ts";

/** Draws images of invented documents with strokes only, because a machine may have no fonts. */
const SIZE: Record<DocumentKind, [width: number, height: number]> = {
  profileImage: [900, 1100],
  identityDocument: [1200, 800],
  medicalCouncilCertificate: [1200, 900],
  qualificationCertificates: [900, 1200],
};

const TINTS = ["#0d5c63", "#7a5b1e", "#24407a", "#5d3a5a"];
const seal = (x: number, y: number, color: string) =>
  `<g transform="translate(${x} ${y})" fill="none" stroke="${color}" stroke-width="6"><circle r="70"/><circle r="54" stroke-width="3"/><path d="M-24 10l18 18 32-46" stroke-width="9"/><path d="M-30 62l-22 92 52-30 52 30-22-92"/></g>`;
/** A faceless person in a white coat. */
const bust = (x: number, y: number, scale: number, skin: string, ground: string) =>
  `<g transform="translate(${x} ${y}) scale(${scale})"><rect x="-150" y="-190" width="300" height="380" fill="${ground}"/><circle cy="-60" r="72" fill="${skin}"/><path d="M-72-70q0-80 72-80t72 80q-30-34-72-34t-72 34z" fill="#2b2622"/><path d="M-130 190q0-150 130-150t130 150z" fill="#fff" stroke="#c9c2b2" stroke-width="4"/><path d="M-30 46l30 46 30-46M0 92v98" fill="none" stroke="#c9c2b2" stroke-width="5"/></g>`;
const SKINS = ["#b98a5e", "#8d5f3d", "#c79a6d", "#a3734a"];

function draw(kind: DocumentKind, seed: number): string {
  const roll = dice(seed + 41);
  const [width, height] = SIZE[kind];
  const tint = TINTS[seed % TINTS.length]!;
  const skin = SKINS[seed % SKINS.length]!;
  const sheet = (color: string) => `<rect width="${width}" height="${height}" fill="${color}"/>`;
  const write = (x: number, y: number, length: number, size: number, color = "#2b3438") =>
    stroke(scribble(roll, x, y, length, size), color, Math.max(3, size / 5));
  switch (kind) {
    case "profileImage":
      return `${sheet("#dfe8e6")}${bust(450, 560, 2.5, skin, "#dfe8e6")}<g transform="translate(80 60) scale(.8)">${stamp}</g>`;
    case "identityDocument":
      return `${sheet("#efeadf")}<rect x="60" y="60" width="1080" height="680" rx="36" fill="#fffdf7" stroke="#cfc7b4" stroke-width="4"/><rect x="60" y="60" width="1080" height="120" rx="36" fill="#f3d9b0"/>${write(150, 130, 420, 30, "#5e3a00")}${bust(270, 430, 0.95, skin, "#e6ece9")}${write(470, 300, 420, 26)}${write(470, 380, 300, 22)}${write(470, 460, 240, 22)}${stroke("M470 640h520", "#2b3438", 10)}${[0, 1, 2].map((i) => write(470 + i * 180, 620, 130, 30)).join("")}<g transform="translate(230 -500)">${stamp}</g>`;
    case "medicalCouncilCertificate":
      return `${sheet("#f6f1e3")}<rect x="40" y="40" width="1120" height="820" fill="none" stroke="${tint}" stroke-width="10"/><rect x="62" y="62" width="1076" height="776" fill="none" stroke="${tint}" stroke-width="3"/>${write(330, 170, 540, 36, tint)}${write(430, 240, 340, 20, tint)}${lines(roll, 350, 4, 80, "#39434a", 20)}${write(820, 740, 240, 30, "#24407a")}${seal(220, 700, tint)}<g transform="translate(-90 -340)">${stamp}</g>`;
    case "qualificationCertificates":
      return `${sheet("#f7f3e8")}<rect x="50" y="50" width="800" height="1100" fill="#fffdf7" stroke="${tint}" stroke-width="8"/>${seal(450, 200, tint)}${write(200, 430, 500, 34, tint)}${lines(roll, 560, 5, 84, "#39434a", 20)}${write(520, 1050, 240, 28, "#24407a")}<g transform="translate(-400 -20)">${stamp}</g>`;
  }
}

/** Returns a small JPEG of a document. */
export async function drawDocument(kind: DocumentKind, seed: number): Promise<{ bytes: Buffer; width: number; height: number }> {
  const [width, height] = SIZE[kind];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${draw(kind, seed)}</svg>`;
  return { bytes: await sharp(Buffer.from(svg)).jpeg({ quality: 62, progressive: true }).toBuffer(), width, height };
}
