/**
 * The fixed lists of values, each once: the database schema, the forms and the API import them. Without imports, so that a
 * page can bring a list to the browser. Categories and specialties of doctors are in directory/specialties.ts.
 */

export const GENDERS = ["male", "female", "other"] as const;
export type Gender = (typeof GENDERS)[number];

export const BLOOD_GROUPS = ["A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-"] as const;
export type BloodGroup = (typeof BLOOD_GROUPS)[number];

/** What a family member is to the patient. */
export const RELATIONS = [
  "mother",
  "father",
  "wife",
  "husband",
  "daughter",
  "son",
  "sister",
  "brother",
  "grandmother",
  "grandfather",
  "other",
] as const;
export type Relation = (typeof RELATIONS)[number];

/** Types of medical records. */
export const RECORD_TYPES = ["prescription", "ct_scan", "xray", "other"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export const HOSPITAL_CATEGORIES = ["Hospital", "Clinic", "Dental", "Laboratory", "Vaccination", "Ayurvedic", "Pharmacy"] as const;
export type HospitalCategory = (typeof HOSPITAL_CATEGORIES)[number];

/** Access facts of a hospital's building. */
export const HOSPITAL_ACCESS = ["ramp", "lift", "wheelchair", "toilet", "parking"] as const;
export type HospitalAccess = (typeof HOSPITAL_ACCESS)[number];

/** Their transitions are in domains/appointment.state.ts. */
export const APPOINTMENT_STATUSES = ["pending", "accepted", "completed", "cancelled"] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** Their transitions are in credentials/cases/verification.state.ts. */
export const REGISTRATION_STATUSES = [
  "draft",
  "under review by hospital",
  "pending admin approval",
  "verified",
  "rejected",
  "suspended",
] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];

/** Roles of members of a place. */
export const MEMBER_ROLES = ["owner", "manager", "reception", "nurse", "billing"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];
/** Roles that an owner can give. Managers and nurses have no permissions yet. */
export const OFFERED_ROLES = ["owner", "reception", "billing"] as const satisfies readonly MemberRole[];

/** Languages that the application form of a doctor offers. A doctor can write others beside them. */
export const LANGUAGE_CHOICES = [
  "English",
  "Hindi",
  "Telugu",
  "Tamil",
  "Kannada",
  "Malayalam",
  "Marathi",
  "Bengali",
  "Gujarati",
  "Odia",
  "Punjabi",
  "Urdu",
] as const;

/** How a patient chose to pay. `link`: the external payment page, where one is configured. */
export const PAYMENT_METHODS = ["link", "upi", "clinic"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** How the clinic received money. */
export const RECEIVED_BY = ["cash", "upi"] as const;
export type ReceivedBy = (typeof RECEIVED_BY)[number];
/** Transitions: money/payments/payment.state.ts. */
export const PAYMENT_STATES = ["captured", "partly-refunded", "refunded"] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];
export const REFUND_REASONS = ["cancelled", "mistake", "agreed"] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];
/** Accounts of the ledger. */
export const LEDGER_ACCOUNTS = [...RECEIVED_BY, "discount", "consultation"] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** Lengths of a bookable time, in minutes. */
export const SLOT_LENGTHS = [10, 15, 20, 30, 60] as const;
/** How patients come to a practice: at a booked time, or in the order of their tokens. */
export const PRACTICE_MODES = ["slots", "tokens"] as const;
export const PRACTICE_STATES = ["asked", "active", "closed"] as const;
export type PracticeState = (typeof PRACTICE_STATES)[number];

/** A session of a queue begins in this part of the day. */
export const PARTS_OF_DAY = ["morning", "afternoon", "evening"] as const;
export const QUEUE_SESSION_STATES = ["planned", "open", "paused", "closed"] as const;
export type QueueSessionState = (typeof QUEUE_SESSION_STATES)[number];
export const QUEUE_ENTRY_STATES = ["expected", "arrived", "called", "with-doctor", "done", "skipped", "left", "no-show"] as const;
export type QueueEntryState = (typeof QUEUE_ENTRY_STATES)[number];
/** `scan`: a patient without a booking who took a token with the QR code of the counter. */
export const QUEUE_KINDS = ["booked", "walk-in", "scan"] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];
export const QUEUE_PRIORITIES = ["normal", "emergency"] as const;
export type QueuePriority = (typeof QUEUE_PRIORITIES)[number];
