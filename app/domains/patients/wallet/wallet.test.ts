import { describe, expect, it } from "vitest";
import { CATEGORIES } from "#app/domains/directory/specialties.ts";
import { paise } from "#app/lib/money.ts";
import { discountOf, findMission, findOffer, MISSIONS, OFFERS, type OfferKey } from "./wallet.ts";
import { missionWords, offerWords } from "./words.ts";

describe("spec 001 §9", () => {
  it("four missions worth 500, 500, 300 and 750 points", () => {
    expect(MISSIONS.map((mission) => mission.points)).toEqual([500, 500, 300, 750]);
  });
  it("six offers worth 1000, 1000, 1500, 2000, 1000 and 1000 points", () => {
    expect(OFFERS.map((offer) => offer.points)).toEqual([1000, 1000, 1500, 2000, 1000, 1000]);
  });
});

it("every mission and offer has a text and terms", () => {
  const all = [...MISSIONS.map((mission) => missionWords(mission.key)), ...OFFERS.map((offer) => offerWords(offer.key))];
  expect(new Set(all.map((words) => words.title)).size).toBe(10);
  for (const { title, text, terms } of all) {
    expect(title.length).toBeGreaterThan(3);
    expect(text.length).toBeGreaterThan(10);
    expect(terms.length).toBeGreaterThan(1);
  }
});
it("returns nothing for an unknown key", () => {
  for (const key of [null, "", "nonsense", "constructor"]) expect([findMission(key), findOffer(key)]).toEqual([undefined, undefined]);
});
it("every category of the offers exists", () => {
  for (const offer of OFFERS) if ("category" in offer) expect(CATEGORIES).toContain(offer.category);
});

it.each<[OfferKey, number | null, string, number]>([
  ["visit-100", 50_000, "Cardiology", 10_000],
  ["visit-100", 10_000, "Cardiology", 10_000],
  ["visit-100", 6_050, "Cardiology", 6_050],
  ["visit-100", 0, "Cardiology", 0],
  ["visit-100", null, "Cardiology", 0],
  ["visit-fifth", 50_000, "General", 10_000],
  ["visit-fifth", 33_333, "General", 6_666],
  ["visit-fifth", 75_000, "General", 15_000],
  ["visit-fifth", 75_005, "General", 15_000],
  ["visit-fifth", 200_000, "General", 15_000],
  ["visit-250", 50_000, "Neurology", 25_000],
  ["dentist-120", 50_000, "Dentistry", 12_000],
  ["dentist-120", 50_000, "General", 0],
  ["general-120", 50_000, "General", 12_000],
])("%s of a fee of %s paise in %s takes off %i", (key, fee, category, off) => {
  expect(discountOf(findOffer(key)!, { fee: fee === null ? null : paise(fee), category })).toBe(off);
});
