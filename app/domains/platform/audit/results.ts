/** How an access was refused: `not-found` is another user's record, which is answered like one that does not exist. */
export const ACCESS_RESULTS = ["not-found", "forbidden", "wrong-role"] as const;
/** How a login, or a proof of the own identity, failed. */
export const LOGIN_RESULTS = [
  "wrong-password",
  "wrong-code",
  "used-up-code",
  "expired-code",
  "no-account",
  "disabled-account",
  "failed-passkey",
] as const;
export const RESULTS = [...ACCESS_RESULTS, ...LOGIN_RESULTS] as const;
export type AccessResult = (typeof ACCESS_RESULTS)[number];
export type LoginResult = (typeof LOGIN_RESULTS)[number];

/** The actions whose rows have a result. Everything else in the log succeeded. */
export const REFUSED_ACTIONS = ["refuse-access", "fail-login"] as const;
