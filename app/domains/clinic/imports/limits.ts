/** Rows and columns of an import, and what is wrong with a file that cannot be read. Its size: platform/files/upload-limits.ts. Labels: words.ts. */
export const MAX_ROWS = 100_000;
export const MAX_COLUMNS = 60;
/** Each row of the largest file is on a page, and each patient of a register that many files filled. */
export const MAX_PAGES = 100_000;

export const SHEET_FAULTS = [
  "empty",
  "broken",
  "password",
  "old-excel",
  "not-a-table",
  "no-sheet",
  "too-large",
  "too-many-rows",
  "too-many-columns",
] as const;
export type SheetFault = (typeof SHEET_FAULTS)[number];

/** An import can be undone for so many days. */
export const UNDO_DAYS = 7;
/** Its file and its rows are stored for so many days, and then until it cannot be undone: never longer than the 30 days that the page promises. */
export const STORED_DAYS = 22;
