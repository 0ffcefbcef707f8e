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
  "grandson",
  "granddaughter",
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

/** Who cancels an appointment. "clinic": a member of the place, for the doctor. */
export const CANCELLERS = ["patient", "doctor", "clinic", "admin"] as const;
export type Canceller = (typeof CANCELLERS)[number];

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

/** How staff record money at the clinic. */
export const AT_CLINIC = ["cash", "upi"] as const;
/** How the clinic received money. `online`: through the payment provider. */
export const RECEIVED_BY = [...AT_CLINIC, "online"] as const;
export type ReceivedBy = (typeof RECEIVED_BY)[number];
/** Transitions: money/payments/payment.state.ts. */
export const PAYMENT_STATES = ["captured", "partly-refunded", "refunded"] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];
/** Reasons that staff choose for a refund. */
export const STAFF_REFUND_REASONS = ["cancelled", "mistake", "agreed"] as const;
/**
 * Also: the appointment was gone or paid already when the money came, a refund made in the provider's own dashboard, and the platform fee alone, after
 * the clinic returned its part in another way.
 */
export const REFUND_REASONS = [...STAFF_REFUND_REASONS, "unseatable", "duplicate", "dashboard", "platform-fee"] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];
/** Payment providers. `local` speaks Razorpay's formats (docs/decisions/074). */
export const PAYMENT_PROVIDERS = ["razorpay", "local"] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];
/** What a line of a provider's settlement report is about. */
export const SETTLEMENT_LINE_KINDS = ["payment", "refund", "transfer", "reversal", "adjustment"] as const;
export type SettlementLineKind = (typeof SETTLEMENT_LINE_KINDS)[number];
/** Why a message to the payment webhook was refused. `order`: signed, but for an order that we do not have. */
export const MESSAGE_REFUSALS = ["signature", "too-large", "malformed", "order"] as const;
export type MessageRefusal = (typeof MESSAGE_REFUSALS)[number];
/** Transitions: money/orders/order.state.ts. */
export const PAYMENT_ORDER_STATES = ["created", "paid", "expired", "failed"] as const;
export type PaymentOrderState = (typeof PAYMENT_ORDER_STATES)[number];
/** Transitions: money/refunds/provider-refund.state.ts. */
export const PROVIDER_REFUND_STATES = ["pending", "processed", "failed", "withdrawn"] as const;
export type ProviderRefundState = (typeof PROVIDER_REFUND_STATES)[number];
/** Transitions: money/refunds/account-return.state.ts. */
export const ACCOUNT_RETURN_STATES = ["pending", "sent", "unneeded"] as const;
export type AccountReturnState = (typeof ACCOUNT_RETURN_STATES)[number];
/** Transitions: money/payouts/payout.state.ts. */
export const PAYOUT_STATES = ["requested", "checking", "active", "refused"] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];
/** What a business is in law, as the payment provider asks it. */
export const BUSINESS_TYPES = [
  "individual",
  "proprietorship",
  "partnership",
  "llp",
  "private_limited",
  "public_limited",
  "trust",
  "society",
] as const;
export type BusinessType = (typeof BUSINESS_TYPES)[number];
/**
 * Accounts of the ledger. `over-refund`: what patients got back above what they paid. `platform` and `platform-fee`: the fees that Nadi has, and its
 * income; no figure of a clinic contains them.
 */
export const LEDGER_ACCOUNTS = [...RECEIVED_BY, "discount", "consultation", "over-refund", "platform", "platform-fee"] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];
/** Documents of the platform fee: an invoice for each payment with one, a credit note for each refund of it. */
export const PLATFORM_FEE_DOCUMENTS = ["invoice", "credit-note"] as const;
export type PlatformFeeDocumentKind = (typeof PLATFORM_FEE_DOCUMENTS)[number];

/** Lengths of a bookable time, in minutes. */
export const SLOT_LENGTHS = [10, 15, 20, 30, 60] as const;
/** How patients come to a practice: at a booked time, or in the order of their tokens. */
export const PRACTICE_MODES = ["slots", "tokens"] as const;
export type PracticeMode = (typeof PRACTICE_MODES)[number];
export const PRACTICE_STATES = ["asked", "active", "closed"] as const;
export type PracticeState = (typeof PRACTICE_STATES)[number];

/** A session of a queue begins in this part of the day. */
export const PARTS_OF_DAY = ["morning", "afternoon", "evening"] as const;
export const QUEUE_SESSION_STATES = ["planned", "open", "paused", "closed"] as const;
export type QueueSessionState = (typeof QUEUE_SESSION_STATES)[number];
export const QUEUE_ENTRY_STATES = [
  "expected",
  "arrived",
  "called",
  "with-doctor",
  "done",
  "skipped",
  "left",
  "no-show",
  "unseen",
  "lapsed",
] as const;
export type QueueEntryState = (typeof QUEUE_ENTRY_STATES)[number];
/** Secret addresses of a place: the screen of its waiting room, and the QR code of its counter. */
export const PLACE_LINK_KINDS = ["tv", "arrive"] as const;
export type PlaceLinkKind = (typeof PLACE_LINK_KINDS)[number];
/** Public pages with a short name: /h/{slug} and /d/{slug}. */
export const SHORT_NAME_KINDS = ["hospital", "doctor"] as const;
export type ShortNameKind = (typeof SHORT_NAME_KINDS)[number];
/** `scan`: a patient without a booking who took a token with the QR code of the counter. */
export const QUEUE_KINDS = ["booked", "walk-in", "scan"] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];
export const QUEUE_PRIORITIES = ["normal", "emergency"] as const;
export type QueuePriority = (typeof QUEUE_PRIORITIES)[number];

/** What a doctor signs in a visit. */
export const VISIT_DOCUMENT_KINDS = ["prescription", "certificate", "order"] as const;
export type VisitDocumentKind = (typeof VISIT_DOCUMENT_KINDS)[number];
/** Their transitions are in visit/documents/visit-document.state.ts. */
export const VISIT_DOCUMENT_STATES = ["draft", "signed", "superseded", "cancelled", "discarded"] as const;
export type VisitDocumentState = (typeof VISIT_DOCUMENT_STATES)[number];
export const MEDICINE_FORMS = [
  "tablet",
  "capsule",
  "syrup",
  "liquid",
  "drops",
  "inhaler",
  "injection",
  "insulin",
  "cream",
  "ointment",
  "powder",
  "sachet",
  "other",
] as const;
export type MedicineForm = (typeof MEDICINE_FORMS)[number];
export const MEDICINE_ROUTES = ["mouth", "tongue", "skin", "inhaled", "injection", "eye", "ear", "nose", "other"] as const;
export type MedicineRoute = (typeof MEDICINE_ROUTES)[number];
/** When a medicine is taken. */
export const FOOD_TIMES = ["after", "before", "any"] as const;
export type FoodTime = (typeof FOOD_TIMES)[number];

/** States of an endpoint of webhooks, and of one delivery to it. */
export const WEBHOOK_STATES = ["active", "paused", "disabled"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];
export const WEBHOOK_DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

/** What a question to support is about. */
export const SUPPORT_TOPICS = ["appointment", "payment", "account", "records", "problem", "other"] as const;
export type SupportTopic = (typeof SUPPORT_TOPICS)[number];

/** Their transitions are in domains/platform/support/support.state.ts. */
export const SUPPORT_STATES = ["open", "answered", "closed"] as const;
export type SupportState = (typeof SUPPORT_STATES)[number];

/** Who gets an announcement. `members` and `place-doctors`: of one place. */
export const AUDIENCES = ["patients", "doctors", "reviewers", "staff", "members", "place-doctors"] as const;
export type Audience = (typeof AUDIENCES)[number];

/** Stored in place of the name of a patient whose account is deleted. */
export const DELETED_NAME = "Deleted account";

/** Transitions: clinic/imports/import.state.ts. */
export const IMPORT_STATES = ["uploaded", "checking", "checked", "importing", "done", "undoing", "undone", "stopped", "discarded"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
/** What a file of an import has. */
export const IMPORT_KINDS = ["patients", "appointments"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];
/** Groups of the rows of an import: each row is in one. */
export const ROW_GROUPS = ["new", "here", "decision", "unreadable"] as const;
export type RowGroup = (typeof ROW_GROUPS)[number];
/** What a user decides about a row. */
/** `doctor`: the appointment is of a doctor of the clinic whom the user names. */
export const ROW_DECISIONS = ["same", "other", "doctor", "leave-out"] as const;
export type RowDecision = (typeof ROW_DECISIONS)[number];
/** What became of a row. */
export const ROW_OUTCOMES = ["added", "merged", "here", "left-out", "removed", "stays"] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];
/** What happened at an appointment from before the clinic used Nadi. */
export const PAST_STATUSES = ["seen", "cancelled", "no-show", "booked"] as const;
export type PastStatus = (typeof PAST_STATUSES)[number];
/** What a clinic takes out, and in which kind of file. */
export const EXPORT_KINDS = ["patients", "appointments", "payments"] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];
export const EXPORT_FORMATS = ["csv", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How users write to Nadi. A missed call is answered by SMS. */
export const MESSAGE_CHANNELS = ["sms", "whatsapp"] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];
/** Who answers a conversation: Nadi, or a member of the clinic. `waiting`: a member is to answer, and Nadi still answers what it understands. */
export const ANSWERERS = ["nadi", "waiting", "clinic"] as const;
export type Answerer = (typeof ANSWERERS)[number];
/** `sending`: the provider was asked and has not answered yet. `failed`: by WhatsApp, and sent by SMS instead; or all retries ended. */
export const MESSAGE_STATES = ["queued", "sending", "sent", "delivered", "read", "failed"] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];
