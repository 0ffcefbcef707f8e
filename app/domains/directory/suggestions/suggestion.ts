/** The groups in their order on the page. */
export const SUGGESTION_KINDS = ["doctor", "specialty", "illness", "hospital", "area"] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];
/** `about`: a second line. `to`: the page that a press opens. */
export type Suggestion = { kind: SuggestionKind; name: string; about: string; to: string };

/** Fewest letters that are searched for. */
export const FEWEST_LETTERS = 2;
