import { fromRupees, type Paise, paise } from "#app/lib/money.ts";

/** The four missions and their points (spec 001 §9). The server counts the progress, never the browser. */
export const MISSIONS = [
  { key: "profile", points: 500, total: 3 },
  { key: "first-visit", points: 500, total: 1 },
  { key: "papers", points: 300, total: 1 },
  { key: "three-visits", points: 750, total: 3 },
] as const;
export type Mission = (typeof MISSIONS)[number];
export type MissionKey = Mission["key"];
export const findMission = (key: string | null): Mission | undefined => MISSIONS.find((mission) => mission.key === key);

/** Worth of a code: an amount, or a percentage of the fee up to an amount. `category`: valid only there. */
type Worth = { amount: Paise; percent?: number; category?: "Dentistry" | "General" };
/** The six offers and their price in points (spec 001 §9). A point is worth about ten paise, more for larger offers. */
export const OFFERS = [
  { key: "visit-100", points: 1000, amount: fromRupees(100) },
  { key: "visit-fifth", points: 1000, amount: fromRupees(150), percent: 20 },
  { key: "visit-175", points: 1500, amount: fromRupees(175) },
  { key: "visit-250", points: 2000, amount: fromRupees(250) },
  { key: "dentist-120", points: 1000, amount: fromRupees(120), category: "Dentistry" },
  { key: "general-120", points: 1000, amount: fromRupees(120), category: "General" },
] as const satisfies readonly (Worth & { key: string; points: number })[];
export type OfferKey = (typeof OFFERS)[number]["key"];
export type Offer = Worth & { key: OfferKey; points: number };
export const findOffer = (key: string | null): Offer | undefined => OFFERS.find((offer) => offer.key === key);

/** Returns the cheapest offer that the balance does not pay for yet; null if it pays for each. */
export const nextOffer = (balance: number): Offer | null =>
  OFFERS.filter((offer) => offer.points > balance).reduce<Offer | null>(
    (next, offer) => (next && next.points <= offer.points ? next : offer),
    null,
  );

/** Returns the discount on a visit in whole paise: at most the fee, 0 where the offer is not valid. */
export function discountOf(offer: Offer, visit: { fee: Paise | null; category: string }): Paise {
  if (!visit.fee || (offer.category && offer.category !== visit.category)) return paise(0);
  const most = offer.percent ? Math.floor((visit.fee * offer.percent) / 100) : offer.amount;
  return paise(Math.min(most, offer.amount, visit.fee));
}

/** Home shows four offers and two missions (spec 001 §9). */
export const HOME_OFFERS = 4;
export const HOME_MISSIONS = 2;
