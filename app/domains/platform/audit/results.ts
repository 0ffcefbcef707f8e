/** Results of a refused access: `not-found` is another user's record, with the response of one that does not exist. */
export const ACCESS_RESULTS = ["not-found", "forbidden", "wrong-role"] as const;
/** Results of a failed login or confirmation of the identity. */
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

/** The actions whose rows have a result. Other rows succeeded. */
export const REFUSED_ACTIONS = ["refuse-access", "fail-login"] as const;
