/** Counting stops here in each hour, so that a flood costs one row and no writes after this. */
export const MOST_COUNTED = 1000;
