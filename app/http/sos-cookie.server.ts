import { readCookie, writeCookie } from "./cookies.server.ts";

/** Cookie with the random id of an SOS request. */
const NAME = "nadi_sos";
const LIFE = 60 * 60;

export const sosIdOf = (request: Request) => readCookie(request.headers.get("cookie"), NAME);
export const sosCookie = (id: string) => writeCookie(NAME, id, LIFE);
export const clearSosCookie = () => writeCookie(NAME, "", 0);
