import { formatCount } from "#app/lib/numbers.ts";
import { m } from "#app/paraglide/messages.js";
import type { MissionKey, OfferKey } from "./wallet.ts";

export type WalletWords = { title: string; text: string; terms: string[] };

/** Returns the texts of a mission. */
export function missionWords(key: MissionKey): WalletWords {
  const once = m.wallet_terms_once();
  const completed = m.wallet_terms_completed();
  return {
    profile: () => ({ title: m.wallet_mission_profile(), text: m.wallet_mission_profile_text(), terms: [m.wallet_terms_profile(), once] }),
    "first-visit": () => ({ title: m.wallet_mission_first(), text: m.wallet_mission_first_text(), terms: [completed, once] }),
    papers: () => ({ title: m.wallet_mission_documents(), text: m.wallet_mission_documents_text(), terms: [completed, once] }),
    "three-visits": () => ({ title: m.wallet_mission_three(), text: m.wallet_mission_three_text(), terms: [completed, once] }),
  }[key]();
}

/** Returns the texts of an offer. */
export function offerWords(key: OfferKey): WalletWords {
  const terms = [m.wallet_terms_next(), m.wallet_terms_one(), m.wallet_terms_returned(), m.wallet_terms_no_money()];
  return {
    "visit-100": () => ({ title: m.wallet_offer_100(), text: m.wallet_offer_any_text(), terms }),
    "visit-fifth": () => ({ title: m.wallet_offer_fifth(), text: m.wallet_offer_fifth_text(), terms }),
    "visit-175": () => ({ title: m.wallet_offer_175(), text: m.wallet_offer_any_text(), terms }),
    "visit-250": () => ({ title: m.wallet_offer_250(), text: m.wallet_offer_any_text(), terms }),
    "dentist-120": () => ({ title: m.wallet_offer_dentist(), text: m.wallet_offer_dentist_text(), terms }),
    "general-120": () => ({ title: m.wallet_offer_general(), text: m.wallet_offer_general_text(), terms }),
  }[key]();
}

/** "1,200 points" */
export const pointsWord = (points: number): string => m.wallet_points({ count: points, points: formatCount(points) });
/** "300 points short" */
export const shortWord = (points: number): string => m.wallet_short({ count: points, points: formatCount(points) });
/** "+500" or "−1,000" */
export const signedPoints = (points: number): string => `${points < 0 ? "−" : "+"}${formatCount(Math.abs(points))}`;
