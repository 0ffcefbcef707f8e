import { readCookie, writeCookie } from "./cookies.server.ts";

/** The random id of a one-time-code challenge: all the browser ever holds of it. One cookie for each door. */
export type Door = "patient" | "doctor";
const nameOf = (door: Door) => `nadi_otp_${door}`;
/** Outlives the code, so that a late person is told that it ran out. */
const LIFE = 30 * 60;

export const challengeIdOf = (request: Request, door: Door) => readCookie(request.headers.get("cookie"), nameOf(door));
export const challengeCookie = (door: Door, id: string) => writeCookie(nameOf(door), id, LIFE);
export const clearChallengeCookie = (door: Door) => writeCookie(nameOf(door), "", 0);
