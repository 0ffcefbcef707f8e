import { days, hours, minutes, seconds } from "#app/lib/durations.ts";

/** Every limit of the product, declared once: at most `max` events in any window of `per` milliseconds. */
export const LIMITS = {
  /** design/trust.md: per phone 1 send per 30 s, 5 per 15 min, 10 per day; per address 20 sends and 100 checks an hour. */
  "otp-send-gap": { max: 1, per: seconds(30) },
  "otp-send": { max: 5, per: minutes(15) },
  "otp-send-day": { max: 10, per: days(1) },
  "otp-send-address": { max: 20, per: hours(1) },
  "otp-check-address": { max: 100, per: hours(1) },
  /** Wrong passwords, per account and address. */
  "password-wrong": { max: 10, per: minutes(15) },
  /** Requests for a new password: per address, per account and address, per account. */
  "password-reset-address": { max: 20, per: hours(1) },
  "password-reset": { max: 3, per: minutes(15) },
  "password-reset-account": { max: 10, per: hours(1) },
  /** Tries of a link and a code, per address. */
  "password-reset-try": { max: 30, per: hours(1) },
  /** New passwords, per account or invitation: each costs a hash, also where the change is refused after it. */
  "password-set": { max: 20, per: hours(1) },
  /** Looks at how an application is getting on, per address: no login is asked for. */
  "verification-status": { max: 60, per: minutes(10) },
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
} as const;
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
