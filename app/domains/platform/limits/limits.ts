import { days, hours, minutes, seconds } from "#app/lib/durations.ts";

/**
 * Every limit of the product: at most `max` events in any window of `per` milliseconds. A limit of an address counts its networks
 * (network.ts): the /48 of an IPv6 address may have `wide` times `max`, 4 times by default. docs/decisions/003 explains the
 * limits of codes and passwords.
 */
export const LIMITS = {
  /** Codes to one phone, login codes and others, requested by unknown devices, over all purposes and addresses. */
  "otp-send-gap": { max: 1, per: seconds(30) },
  "otp-send": { max: 8, per: minutes(15) },
  "otp-send-day": { max: 30, per: days(1) },
  /** The share of one network, so that one stranger cannot use up all of it. */
  "otp-send-share": { max: 5, per: minutes(15), wide: 1 },
  "otp-send-share-day": { max: 10, per: days(1), wide: 1 },
  /** Codes to one phone for one purpose, requested by a known device: the owner's reserve. */
  "otp-known-gap": { max: 1, per: seconds(30) },
  "otp-known": { max: 5, per: minutes(15) },
  "otp-known-day": { max: 10, per: days(1) },
  /** A challenge that five wrong codes ended allows its browser to skip the gap once. */
  "otp-used-up": { max: 1, per: hours(1) },
  /** Codes requested from one address. Beyond it each request waits first, and then counts into the second limit: a waiting room of 150 phones logs in. */
  "otp-send-address": { max: 20, per: hours(1) },
  "otp-send-waited": { max: 200, per: hours(1) },
  "otp-ticket": { max: 1, per: hours(1) },
  /**
   * All codes of a minute; the number is SMS_CODES_PER_MINUTE for each: unknown devices, unknown devices after a wait, known
   * devices.
   */
  "otp-send-all": { max: 300, per: minutes(1) },
  "otp-waited-all": { max: 300, per: minutes(1) },
  "otp-known-all": { max: 300, per: minutes(1) },
  /** Messages of all numbers together that are answered in a minute; the number is MESSAGE_ANSWERS_PER_MINUTE. Further ones wait. */
  "message-answer-all": { max: 3_000, per: minutes(1) },
  /** Answers to a WhatsApp user without a number. */
  "message-no-number": { max: 1, per: days(1) },
  "message-no-number-danger": { max: 20, per: hours(1) },
  /** Checks of codes. Right ones are refunded. */
  "otp-check-address": { max: 100, per: hours(1) },
  "otp-check-known": { max: 100, per: hours(1) },
  /** Wrong codes for one phone over all challenges of unknown devices: more live codes do not allow more guesses. */
  "otp-guess-share": { max: 10, per: minutes(15), wide: 1 },
  "otp-guess": { max: 25, per: minutes(15) },
  "otp-guess-day": { max: 60, per: days(1) },
  /** Passwords tried for one account from one address; refunded after a successful login. */
  "password-wrong": { max: 10, per: minutes(15) },
  /** The same from all addresses that are not a known device: beyond it each attempt waits first. */
  "password-tries": { max: 30, per: minutes(15) },
  /** Wrong passwords for one account after its phone was verified, from anywhere. */
  "password-wrong-proven": { max: 30, per: days(1) },
  /** Password resets: per address, per account and address, per account. */
  "password-reset-address": { max: 20, per: hours(1) },
  "password-reset": { max: 3, per: minutes(15) },
  "password-reset-account": { max: 10, per: hours(1) },
  /** Attempts at a link and a code, per address. */
  "password-reset-try": { max: 30, per: hours(1) },
  /** Links that confirm an email address: per patient, per address of the email, and attempts at a link per network. */
  "email-link": { max: 5, per: hours(1) },
  "email-link-to": { max: 3, per: hours(1) },
  "email-link-try": { max: 30, per: hours(1) },
  /** New passwords, per account or invitation: each costs a hash, also when the change is refused after it. */
  "password-set": { max: 20, per: hours(1) },
  /** Browsers that are to show notifications, per user. */
  "push-subscribe": { max: 20, per: hours(1) },
  /** Drawn share cards, per address. A cached card is not counted. */
  "share-card": { max: 120, per: minutes(10) },
  /** Codes of tokens that do not exist, per address. Patients of one clinic share its network. */
  "token-wrong": { max: 60, per: minutes(10) },
  /** Keys of screens and counter codes that do not exist, per address. */
  "place-key-wrong": { max: 60, per: minutes(10) },
  /** Keys of calendars that do not exist, per address. Calendar services load many calendars from one address. */
  "feed-key-wrong": { max: 120, per: minutes(10) },
  /** Tokens that a patient without a booking takes with the code of the counter, per patient. */
  "token-by-code": { max: 20, per: hours(1) },
  /** SMS with the token of a walk-in, to one phone. Beyond it the token is given without one. */
  "token-sms": { max: 6, per: days(1) },
  /** Codes of prescriptions that do not exist, per address. */
  "rx-wrong": { max: 30, per: minutes(10) },
  /** Secrets of shared records that do not exist, per address. */
  "share-wrong": { max: 30, per: minutes(10) },
  /** Requests for the public status of an application, per address. */
  "verification-status": { max: 60, per: minutes(10) },
  /** Codes that confirm the identity of a logged-in user, per account: strangers cannot use them up. */
  "proof-send-gap": { max: 1, per: seconds(30) },
  "proof-send": { max: 5, per: minutes(15) },
  "proof-send-day": { max: 40, per: days(1) },
  /** Passkey challenges, per address, and failed answers to them. */
  "passkey-challenge": { max: 120, per: hours(1) },
  "passkey-wrong": { max: 30, per: hours(1) },
  /** Passkeys added, per account. */
  "passkey-add": { max: 20, per: days(1) },
  /**
   * Audit rows about refusals: the same one of one user or network; all of these; failed logins of one account; of all visitors.
   */
  "audit-refused-same": { max: 3, per: hours(1) },
  "audit-refused-source": { max: 30, per: hours(1) },
  "audit-refused-subject": { max: 20, per: hours(1) },
  "audit-refused-visitors": { max: 1000, per: hours(1) },
  /** Uploads, per user. */
  upload: { max: 60, per: hours(1) },
  /** Files of patients that a clinic brings, and those that it takes out, per user: each is read or written as a whole. */
  import: { max: 30, per: hours(1) },
  "import-day": { max: 60, per: days(1) },
  /** Checks of all rows of an import, and further sheets that are read, per user. */
  "import-check": { max: 60, per: hours(1) },
  "import-check-day": { max: 100, per: days(1) },
  export: { max: 20, per: hours(1) },
  /** Pages of an import's rows, on the page of the import and in the API, per user: the largest file has 500 of 200 rows. */
  "import-rows": { max: 600, per: hours(1) },
  /** Pages and patients of a clinic's register, per owner or doctor: a register of 6,000 has 120 pages. */
  register: { max: 300, per: hours(1) },
  /** Bookings, per patient. */
  booking: { max: 20, per: hours(1) },
  /** Bookings for callers, per member or doctor, and for one phone: each sends an SMS to it. */
  "caller-booking": { max: 120, per: hours(1) },
  "caller-booking-phone": { max: 12, per: days(1) },
  /** Searches of a clinic's patients by phone, number or name, per member or doctor: more would read the register. */
  "patient-search": { max: 120, per: hours(1) },
  /** New orders of the payment provider, per patient. An open order is used again. */
  "payment-order": { max: 20, per: hours(1) },
  /** Questions to the payment provider when a patient comes back from it: per order and payment, and per address. Beyond them the page shows what is known. */
  "payment-return-order": { max: 1, per: seconds(5) },
  "payment-return": { max: 60, per: minutes(10) },
  /** Joining waitlists, per patient. */
  "waitlist-join": { max: 20, per: hours(1) },
  /** Downloads of the user's own data, per user. */
  "own-data": { max: 5, per: hours(1) },
  /** Revealed numbers of doctors, per reviewer or administrator. */
  reveal: { max: 60, per: hours(1) },
  /** Invitations of reviewers and members, and requests between places and doctors, per user. */
  invitation: { max: 30, per: hours(1) },
  /** Changes of verified fields, per doctor: an administrator checks each. */
  "profile-change": { max: 20, per: days(1) },
  /** Reported reviews, per user: an administrator reads each. */
  "review-report": { max: 20, per: days(1) },
  /** Questions to support, and further messages, per user: an administrator reads each. */
  "support-question": { max: 5, per: days(1) },
  "support-message": { max: 30, per: hours(1) },
  /** New short names of a place: each stays with it for ever. */
  "short-name": { max: 5, per: days(1) },
  /** New and changed endpoints of a place's webhooks, test events, and deliveries sent again. */
  "webhook-change": { max: 30, per: days(1) },
  /** Changes of a payout account. Each is sent to the payment provider. */
  "payout-change": { max: 10, per: days(1) },
  "webhook-test": { max: 20, per: minutes(10) },
  "webhook-resend": { max: 60, per: minutes(10) },
  /** Positions and addresses converted to a city, per user or, for visitors, per address: may call an external service. */
  locate: { max: 60, per: hours(1) },
  /** Searches of external maps and models from one address: beyond it SOS uses only our directory. */
  "sos-search": { max: 30, per: minutes(10) },
  /** Questions to the assistant, per user. */
  "assistant-question": { max: 20, per: minutes(5) },
  "assistant-question-day": { max: 200, per: days(1) },
} as const satisfies Record<string, { max: number; per: number; wide?: number }>;
/**
 * API calls, counted by each process: for a user with a token, and for an address without one. Protects against loops and
 * scrapers; expensive or sensitive calls have their own limit above.
 */
export const API_CALLS = {
  person: { max: 300, per: minutes(1) },
  address: { max: 600, per: minutes(1) },
} as const;
/** Suggestions of the search, one for each pause in typing, from an address: counted by each process too. */
export const SUGGESTIONS = { max: 600, per: minutes(10) } as const;
export type LimitName = keyof typeof LIMITS;
