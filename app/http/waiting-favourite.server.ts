import { type Favourite, favouriteKey } from "#app/domains/directory/favourites/favourite.ts";
import { FavouriteKeySchema } from "#app/domains/directory/favourites/favourites.schema.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/** Cookie with a favourite that a visitor chose: added at login, expires after half an hour. */
const NAME = "nadi_favourite";
const LIFE = 30 * 60;

export const waitingFavouriteCookie = (favourite: Favourite) => writeCookie(NAME, favouriteKey(favourite), LIFE);
export const clearWaitingFavouriteCookie = () => writeCookie(NAME, "", 0);
export function waitingFavourite(request: Request): Favourite | null {
  return FavouriteKeySchema.safeParse(readCookie(request.headers.get("cookie"), NAME)).data ?? null;
}
