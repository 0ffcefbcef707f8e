/**
 * Returns the path of a drawing of `public/faces`. The number is its version: files below it never change and are cached for a
 * year, so a changed drawing needs a new number.
 */
export const facePath = (name: string) => `/faces/1/${name}.svg`;
