import { sql } from "drizzle-orm";
import { bigint, boolean, check, date, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { LANGUAGES } from "../../lib/language.ts";
import { MESSAGE_CHANNELS } from "../../lib/vocabulary.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { hidden, LAW, ofNoPatient, ofPatients, shown } from "./policy.ts";

export const ROLES = ["patient", "doctor", "reviewer", "admin", "staff"] as const;
export type Role = (typeof ROLES)[number];
/** Roles that log in with password and code, or a passkey. `staff`: a member of a place who has no other role. */
export const PASSWORD_ROLES = ["doctor", "reviewer", "admin", "staff"] as const satisfies readonly Role[];

/** A user who can log in. One phone may be a patient and a doctor: unique for each role. */
export const users = pgTable(
  "users",
  {
    id: id(),
    role: text({ enum: ROLES }).notNull(),
    phone: text(),
    email: text(),
    passwordHash: text(),
    /** Name of reviewers, administrators and staff. Patients and doctors have theirs in their profiles. */
    staffName: text(),
    /** `disabled`: by an administrator. `deleted`: by the user; the row stays for its references, without phone and name. */
    status: text({ enum: ["active", "disabled", "deleted"] })
      .notNull()
      .default("active"),
    /** Language of pages and messages; null: never chosen. */
    language: text({ enum: LANGUAGES }),
    isDemo: boolean().notNull().default(false),
    /**
     * Since when the password is known to be weak by current rules (accounts/password-rules.server.ts); null: not known to be
     * weak.
     */
    passwordWeakSince: at(),
    /** Bank details cannot be changed before this instant. Set by a password reset. */
    bankLockedUntil: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("users_role_phone").on(t.role, t.phone),
    uniqueIndex("users_email").on(t.email).where(sql`${t.email} is not null`),
    // For the lists of administrators, and their searches of a part of a text.
    index("users_created").on(t.createdAt, t.id),
    index("users_role_created").on(t.role, t.createdAt, t.id),
    index("users_disabled").on(t.createdAt, t.id).where(sql`${t.status} = 'disabled'`),
    index("users_phone_parts").using("gin", t.phone.op("gin_trgm_ops")).with({ fastupdate: false }),
    index("users_email_parts").using("gin", t.email.op("gin_trgm_ops")).with({ fastupdate: false }),
    index("users_staff_name_parts").using("gin", t.staffName.op("gin_trgm_ops")).with({ fastupdate: false }),
    check("users_phone_form", sql`${t.phone} is null or ${t.phone} ~ '^\\+91[0-9]{10}$'`),
    check("users_language", sql`${t.language} in ('en', 'te', 'hi')`),
    check("users_email_lower", sql`${t.email} is null or ${t.email} = lower(${t.email})`),
  ],
);
ofPatients(users, {
  section: "profile",
  owner: "id",
  emptied: {
    phone: { name: "phone", clear: "a login looks it up" },
    email: { name: null, clear: "a login looks it up" },
  },
  stays: {
    ...shown("id language"),
    ...hidden("role passwordHash status isDemo passwordWeakSince bankLockedUntil updatedAt"),
    staffName: { name: null, clear: "shown beside decisions and searched by administrators" },
    createdAt: "since",
  },
  why: "other rows refer to it",
});

/** `browser`: the token is in a cookie and opens pages. `api`: a bearer token of an app, for /api only. */
export const SESSION_KINDS = ["browser", "api"] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** How the user of a session confirmed their identity: the login itself (password and code), a new code, or a passkey. */
export const PROOF_METHODS = ["login", "code", "passkey"] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** A login. The browser or the app has the token, the row its hash. */
export const sessions = pgTable(
  "sessions",
  {
    tokenHash: text().primaryKey(),
    /** Public id for the owner's list of sessions. The hash stays on the server. */
    id: uuid().notNull().default(sql`gen_random_uuid()`),
    kind: text({ enum: SESSION_KINDS }).notNull().default("browser"),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    lastSeenAt: createdAt(),
    expiresAt: at().notNull(),
    ip: text(),
    userAgent: text(),
    /** City of `ip` from a lookup service. */
    city: text(),
    /** When the user last confirmed their identity. Sensitive actions require it again (accounts/proof.ts). */
    provenAt: at(),
    provenBy: text({ enum: PROOF_METHODS }),
    /** Encrypted: the form that needed a new proof. Filled in again afterwards. */
    unsentForm: sealedText(),
  },
  (t) => [index("sessions_user").on(t.userId), index("sessions_expiry").on(t.expiresAt), uniqueIndex("sessions_id").on(t.id)],
);
ofPatients(sessions, {
  section: "sessions",
  owner: "userId",
  command: "endSessionsOf",
  removed: {
    ...shown("lastSeenAt"),
    ...hidden("tokenHash id kind userId city provenAt provenBy unsentForm"),
    createdAt: "since",
    expiresAt: "until",
    ip: "address",
    userAgent: "browser",
  },
});

/** Which notice about personal data an account agreed to, and in which language it was shown (accounts/consent.server.ts). */
export const consents = pgTable(
  "consents",
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The version of the notice: the day from which it is shown. */
    notice: date({ mode: "string" }).notNull(),
    language: text({ enum: LANGUAGES }).notNull(),
    /** The notice was linked in a message that the user answered. null: it stood on the page of the login. */
    channel: text({ enum: MESSAGE_CHANNELS }),
    at: at().notNull(),
  },
  (t) => [
    uniqueIndex("consents_once").on(t.userId, t.notice),
    check("consents_language", sql`${t.language} in ('en', 'te', 'hi')`),
    check("consents_channel", sql`${t.channel} in ('sms', 'whatsapp')`),
  ],
);
ofPatients(consents, {
  section: "consents",
  owner: "userId",
  may: ["SELECT", "INSERT"],
  stays: {
    ...shown("id notice language channel at"),
    ...hidden("userId"),
  },
  why: LAW.consent,
});

export const OTP_PURPOSES = ["patient-login", "doctor-login", "doctor-register", "password-reset", "confirm-identity"] as const;
export type OtpPurpose = (typeof OTP_PURPOSES)[number];

/** One sent code. See docs/decisions/003: the `_totp` jar of remix-auth-totp stays here and never reaches a browser. */
export const otpChallenges = pgTable(
  "otp_challenges",
  {
    idHash: text().primaryKey(),
    purpose: text({ enum: OTP_PURPOSES }).notNull(),
    phone: text().notNull(),
    codeHmac: text().notNull(),
    /** Encrypted; cleared when the challenge is consumed. */
    jar: text().notNull(),
    /** Encrypted JSON that the purpose needs later (a doctor's email, whether the password was right). */
    payload: text(),
    attempts: integer().notNull().default(0),
    createdAt: createdAt(),
    expiresAt: at().notNull(),
    /** When the right code was entered. Patients are then logged in; doctors still press Continue. */
    verifiedAt: at(),
    /** The challenge is over: used, replaced or cancelled. */
    consumedAt: at(),
    ip: text(),
    /** The known device that requested the code; null for an unknown device. */
    device: text(),
    /** Wrong passwords since the code was verified: three end the challenge. */
    passwordTries: integer().notNull().default(0),
  },
  (t) => [index("otp_challenges_phone").on(t.phone, t.purpose, t.createdAt), index("otp_challenges_expiry").on(t.expiresAt)],
);
ofPatients(otpChallenges, {
  section: null,
  owner: "phone",
  command: "deleteAccount, by phone",
  removed: {
    ...hidden("idHash purpose codeHmac jar payload attempts createdAt expiresAt verifiedAt consumedAt ip device"),
    ...hidden("passwordTries"),
    phone: { name: null, clear: "a code is looked up by it; deleted a day after its end" },
  },
});

/** A request for a password reset, and the link that was sent. A new password needs the link and the code. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: id(),
    email: text().notNull(),
    phone: text().notNull(),
    /** The account with this email and phone; null until the job has searched it (jobs/worker.server.ts). */
    userId: uuid().references(() => users.id, { onDelete: "cascade" }),
    /** Hash of the token in the link. */
    tokenHash: text(),
    /** The challenge of the newest code. */
    challengeHash: text(),
    createdAt: createdAt(),
    expiresAt: at().notNull(),
    usedAt: at(),
    ip: text().notNull(),
  },
  (t) => [
    uniqueIndex("password_resets_token").on(t.tokenHash),
    index("password_resets_user").on(t.userId),
    index("password_resets_expiry").on(t.expiresAt),
  ],
);
ofNoPatient(passwordResets, {
  columns: {
    email: { clear: "finds the account of a link; deleted after it ended" },
    phone: { clear: "finds the account of a link; deleted after it ended" },
  },
});

/** The address for emails of a patient, who logs in by phone. Doctors and staff have theirs in `users`. Several may share one. */
export const notificationEmails = pgTable(
  "notification_emails",
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Confirmed by its link; null: none yet. */
    email: text(),
    /** Waits until its link is opened. */
    pendingEmail: text(),
    /** Hash of the token in the link. */
    tokenHash: text(),
    tokenExpiresAt: at(),
    updatedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("notification_emails_token").on(t.tokenHash),
    check("notification_emails_lower", sql`lower(${t.email}) = ${t.email} and lower(${t.pendingEmail}) = ${t.pendingEmail}`),
    check(
      "notification_emails_pending",
      sql`(${t.pendingEmail} is null) = (${t.tokenHash} is null) and (${t.tokenHash} is null) = (${t.tokenExpiresAt} is null)`,
    ),
  ],
);
ofPatients(notificationEmails, {
  section: "emailAddress",
  owner: "userId",
  removed: {
    ...hidden("userId tokenHash tokenExpiresAt"),
    email: { name: "email", clear: "receives notifications; removed by the patient" },
    pendingEmail: "notYetConfirmed",
    updatedAt: "since",
  },
});

/** A WebAuthn credential of a doctor, reviewer or administrator. The private key never leaves the user's device. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** base64url, from the browser. */
    credentialId: text().notNull(),
    /** COSE key, base64url. */
    publicKey: text().notNull(),
    /** Signature counter; 0 for passkeys that are synchronised between devices. */
    counter: bigint({ mode: "number" }).notNull(),
    transports: text().array().notNull(),
    name: text().notNull(),
    createdAt: createdAt(),
    lastUsedAt: at(),
  },
  (t) => [uniqueIndex("passkeys_credential").on(t.credentialId), index("passkeys_user").on(t.userId)],
);
ofNoPatient(passkeys, {
  columns: {
    name: { clear: "the owner's word for a device" },
  },
});

export const PASSKEY_PURPOSES = ["add", "login", "confirm"] as const;
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number];

/** A WebAuthn challenge: for one purpose and one browser, deleted by its first use. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    /** Hash of the random token in the browser's cookie. */
    idHash: text().primaryKey(),
    purpose: text({ enum: PASSKEY_PURPOSES }).notNull(),
    challenge: text().notNull(),
    /** The only session that may answer; null for a login. */
    sessionHash: text(),
    createdAt: createdAt(),
    expiresAt: at().notNull(),
  },
  (t) => [index("passkey_challenges_expiry").on(t.expiresAt)],
);
ofNoPatient(passkeyChallenges);

/** Counted events. A limit counts a sliding window of them. */
export const rateLimits = pgTable("rate_limits", { id: id(), key: text().notNull(), at: at().notNull() }, (t) => [
  index("rate_limits_key").on(t.key, t.at),
  index("rate_limits_at").on(t.at),
]);
ofNoPatient(rateLimits);
