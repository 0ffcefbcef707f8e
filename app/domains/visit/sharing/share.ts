/** What a link can open: a signed document, a document of the patient's own, one that was attached to an appointment. */
export const SHARE_KINDS = ["signed", "own", "attached"] as const;
export type ShareKind = (typeof SHARE_KINDS)[number];
export type ShareTarget = { kind: ShareKind; id: string };

/** Choices of a link: how long it is open, and how many times it can be opened. */
export const SHARE_DAYS = [1, 7, 30] as const;
export const SHARE_TIMES = [1, 5, 20] as const;

/** A record that a link is made for. */
export type Shareable = ShareTarget & {
  /** "Prescription", "Blood test". */
  title: string;
  /** Initials can replace the name. */
  canHideName: boolean;
};

/** A link on the patient's page. */
export type ShownShare = {
  id: string;
  title: string;
  opened: number;
  most: number;
  lastOpenedAt: Date | null;
  expiresAt: Date;
  isLive: boolean;
};
