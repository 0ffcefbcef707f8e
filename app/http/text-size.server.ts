/** Larger text on the pages of this browser, chosen in the settings. A cookie, because it must work without the database. */
import { readCookie, writeCookie } from "./cookies.server.ts";

const NAME = "text";
const LARGER = "larger";
const YEAR = 31_536_000;

/** Returns the cookie for a year, or the one that deletes it. */
export const textSizeCookie = (larger: boolean) => (larger ? writeCookie(NAME, LARGER, YEAR) : writeCookie(NAME, "", 0));

/** Returns true if the user of this browser chose larger text. */
export const wantsLargerText = (cookieHeader: string | null | undefined): boolean => readCookie(cookieHeader, NAME) === LARGER;
