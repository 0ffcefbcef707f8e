import { days, hours, minutes, seconds } from "#app/lib/durations.ts";

/**
 * Every limit of the product, declared once: at most `max` events in any window of `per` milliseconds. A limit of an address
 * counts its networks (network.ts): the /48 of an IPv6 address may have `wide` times `max`, 4 times by default.
 * The limits of codes and passwords are explained in docs/decisions/041.
 */
export const LIMITS = {
  /** Codes to one phone, asked for by devices that have not logged in with it before. All purposes and addresses together. */
  "otp-send-gap": { max: 1, per: seconds(30) },
  "otp-send": { max: 8, per: minutes(15) },
  "otp-send-day": { max: 30, per: days(1) },
  /** How much of that one network may use, so that one stranger never uses up all of it. */
  "otp-send-share": { max: 5, per: minutes(15), wide: 1 },
  "otp-send-share-day": { max: 10, per: days(1), wide: 1 },
  /** Codes to one phone for one purpose, asked for by one device that has logged in with it before: the owner's reserve. */
  "otp-known-gap": { max: 1, per: seconds(30) },
  "otp-known": { max: 5, per: minutes(15) },
  "otp-known-day": { max: 10, per: days(1) },
  /** A challenge that five wrong codes ended lets its browser skip the gap once. */
  "otp-used-up": { max: 1, per: hours(1) },
  /** Codes asked for from one address. Beyond it each request waits first, and then counts into the second limit. */
  "otp-send-address": { max: 20, per: hours(1) },
  "otp-send-waited": { max: 100, per: hours(1) },
  "otp-ticket": { max: 1, per: hours(1) },
  /** All codes of a minute; the number is SMS_CODES_PER_MINUTE for each: strangers, strangers who have waited, known devices. */
  "otp-send-all": { max: 300, per: minutes(1) },
  "otp-waited-all": { max: 300, per: minutes(1) },
  "otp-known-all": { max: 300, per: minutes(1) },
  /** Checks of codes. Right ones are given back. */
  "otp-check-address": { max: 100, per: hours(1) },
  "otp-check-known": { max: 100, per: hours(1) },
  /** Wrong codes for one phone over all challenges of unknown devices: more live codes do not mean more guesses. */
  "otp-guess-share": { max: 10, per: minutes(15), wide: 1 },
  "otp-guess": { max: 25, per: minutes(15) },
  "otp-guess-day": { max: 60, per: days(1) },
  /** Passwords tried for one account from one address; given back when the login succeeds. */
  "password-wrong": { max: 10, per: minutes(15) },
  /** The same from all addresses that are not a known device: beyond it each try waits first. */
  "password-tries": { max: 30, per: minutes(15) },
  /** Wrong passwords for one account after its phone was proven, from anywhere. */
  "password-wrong-proven": { max: 30, per: days(1) },
  /** Requests for a new password: per address, per account and address, per account. */
  "password-reset-address": { max: 20, per: hours(1) },
  "password-reset": { max: 3, per: minutes(15) },
  "password-reset-account": { max: 10, per: hours(1) },
  /** Tries of a link and a code, per address. */
  "password-reset-try": { max: 30, per: hours(1) },
  /** New passwords, per account or invitation: each costs a hash, also where the change is refused after it. */
  "password-set": { max: 20, per: hours(1) },
  /** Cards of shared links that are drawn (share-cards), per address. One that was drawn before costs nothing. */
  "share-card": { max: 120, per: minutes(10) },
  /** Looks at how an application is getting on, per address: no login is asked for. */
  "verification-status": { max: 60, per: minutes(10) },
  /** Codes that confirm the identity of a logged-in user, per account: no stranger can use them up. */
  "proof-send-gap": { max: 1, per: seconds(30) },
  "proof-send": { max: 5, per: minutes(15) },
  "proof-send-day": { max: 40, per: days(1) },
  /** Passkey challenges, per address, and answers to them that fail. */
  "passkey-challenge": { max: 120, per: hours(1) },
  "passkey-wrong": { max: 30, per: hours(1) },
  /** Passkeys added, per account. */
  "passkey-add": { max: 20, per: days(1) },
  /** Rows of the audit log about refusals: the same one of one user or network; all of these; failed logins of one account; of all visitors. */
  "audit-refused-same": { max: 3, per: hours(1) },
  "audit-refused-source": { max: 30, per: hours(1) },
  "audit-refused-subject": { max: 20, per: hours(1) },
  "audit-refused-visitors": { max: 1000, per: hours(1) },
  /** Uploads, per person. */
  upload: { max: 60, per: hours(1) },
  /** Bookings, per patient. */
  booking: { max: 20, per: hours(1) },
  /** Downloads of everything, per person. */
  "own-data": { max: 5, per: hours(1) },
  /** Numbers of doctors looked at in full, per reviewer or administrator. */
  reveal: { max: 60, per: hours(1) },
  /** Invitations of reviewers, per administrator. */
  invitation: { max: 30, per: hours(1) },
  /** Changes of what was verified, per doctor: an administrator looks at each. */
  "profile-change": { max: 20, per: days(1) },
  /** Reviews reported, per person: an administrator reads each. */
  "review-report": { max: 20, per: days(1) },
  /** Positions and addresses turned into a city, per person or, for visitors, per address: a service outside may be asked. */
  locate: { max: 60, per: hours(1) },
  /** Searches of outside maps and models from one address: beyond it SOS goes on with our own directory. */
  "sos-search": { max: 30, per: minutes(10) },
  /** Questions to the assistant, per person. */
  "assistant-question": { max: 20, per: minutes(5) },
  "assistant-question-day": { max: 200, per: days(1) },
} as const satisfies Record<string, { max: number; per: number; wide?: number }>;
/**
 * Calls of the API, counted by each process for itself: for a person with a token, and for an address without one. A bound
 * against loops and scrapers; what costs money or trust has its own limit above.
 */
export const API_CALLS = {
  person: { max: 300, per: minutes(1) },
  address: { max: 600, per: minutes(1) },
} as const;
/** Bytes of all files that one account stores. */
export const STORAGE_PER_ACCOUNT = 500 * 1024 * 1024;
export type LimitName = keyof typeof LIMITS;
