import { href } from "react-router";
import type { MissionKey, OfferKey } from "../wallet.ts";

/** The tabs of the list (spec 001 §4.7). */
const WALLET_TABS = ["redeem", "earn"] as const;
export type WalletTab = (typeof WALLET_TABS)[number];
export const WALLET = href("/patient/wallet");
export const listPath = (tab: WalletTab) => `${WALLET}?view=list&tab=${tab}`;
export const missionPath = (key: MissionKey) => `${WALLET}?view=mission_detail&mission=${key}`;
export const offerPath = (key: OfferKey) => `${WALLET}?view=redeem_detail&offer=${key}`;
/** Back from the wallet's home. The page answers with the sentence of the specification. */
export const MAIN_MENU = `${WALLET}?back=main`;
