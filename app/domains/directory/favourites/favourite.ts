/** What the hearts of a page need to know; without zod, because every page with a card carries it. */
const FAVOURITE_KINDS = ["doctor", "hospital"] as const;
export type FavouriteKind = (typeof FAVOURITE_KINDS)[number];
export type Favourite = { kind: FavouriteKind; id: string };

/** "doctor/<id>": how a favourite is written in the value of a button and in the cookie of a visitor. */
export const favouriteKey = ({ kind, id }: Favourite) => `${kind}/${id}`;

/** Where a heart stands on its page: a page without scripts comes back to it. */
export const heartId = (id: string) => `f-${id}`;
