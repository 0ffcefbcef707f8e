import sharp from "sharp";
import { expect, it } from "vitest";
import type { CardContent } from "./content.server.ts";
import { drawCard } from "./draw-card.server.ts";

const DOCTOR: CardContent = {
  kind: "doctor",
  title: "Dr. Anjali",
  lines: ["Dentist", "Guntur"],
  rating: null,
  facts: ["Verified"],
  photo: null,
};
/** Returns the colour of one pixel of a card, as red, green and blue. */
const colorAt = async (png: Buffer, left: number, top: number) => [
  ...(await sharp(png).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];
/** The centre of the photo, and the corner of its square outside the circle. */
const [MIDDLE, CORNER] = [
  [978, 273],
  [832, 128],
] as const;

it("shows the photo in a circle", async () => {
  const photo = await sharp({ create: { width: 320, height: 320, channels: 3, background: "#c02040" } })
    .jpeg()
    .toBuffer();
  const card = await drawCard(DOCTOR, photo);
  expect(await sharp(card).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
  const [red, green, blue] = await colorAt(card, ...MIDDLE);
  expect([red! > 150, green! < 70, blue! < 100]).toEqual([true, true, true]);
  expect(await colorAt(card, ...CORNER)).toEqual([0xfb, 0xf8, 0xf1]);
});

it("shows the specialty in place of a name that the fonts cannot draw", async () => {
  const named = await drawCard({ ...DOCTOR, title: "மருத்துவர்" }, null);
  expect(named.equals(await drawCard({ ...DOCTOR, title: "Dentist", lines: ["Guntur"] }, null))).toBe(true);
});

it("draws markup in a name as text", async () => {
  const card = await drawCard({ ...DOCTOR, title: "<b>Dr.</b> & Sons" }, null);
  expect(card.equals(await drawCard({ ...DOCTOR, title: "Dr. & Sons" }, null))).toBe(false);
});
