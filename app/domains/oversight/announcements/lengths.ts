/** Most characters of an announcement. */
export const MOST_TITLE = 80;
export const MOST_MESSAGE = 500;
