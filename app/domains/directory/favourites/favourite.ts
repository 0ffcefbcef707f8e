/** Data of the hearts. Without zod, because every page with a card loads it. */
const FAVOURITE_KINDS = ["doctor", "hospital"] as const;
export type FavouriteKind = (typeof FAVOURITE_KINDS)[number];
export type Favourite = { kind: FavouriteKind; id: string };

/** Returns "doctor/<id>": the value of a heart's button and of a visitor's cookie. */
export const favouriteKey = ({ kind, id }: Favourite) => `${kind}/${id}`;

/** Returns the anchor of a heart, to which a page without JavaScript returns. */
export const heartId = (id: string) => `f-${id}`;
