/** Sort orders of the list of accounts. Default: newest first. */
export const USER_SORTS = ["name", "oldest"] as const;
export type UserSort = (typeof USER_SORTS)[number];
