/** How the list of accounts may be sorted; without a choice the newest come first. */
export const USER_SORTS = ["name", "oldest"] as const;
export type UserSort = (typeof USER_SORTS)[number];
