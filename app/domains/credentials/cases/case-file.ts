import type { DOCUMENT_DECISIONS, DocumentKind, DocumentReason, HOSPITAL_STATUSES, Qualification, Role } from "#app/db/schema/index.ts";
import type { Gender, RegistrationStatus } from "#app/lib/vocabulary.ts";

/** A submitted document with its decision. */
export type CaseDocument = {
  id: string;
  kind: DocumentKind;
  /** Null: erased at `erasedAt`. */
  fileId: string | null;
  byteSize: number | null;
  width: number | null;
  height: number | null;
  decision: (typeof DOCUMENT_DECISIONS)[number];
  reason: string | null;
  /** Changes with the decision and its reason. A form sends it back, to detect a decision made meanwhile. */
  version: string;
  decidedById: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  /** Reviewer who accepted it for the hospital, and when; both null before the hospital's approval. */
  hospitalDecidedBy: string | null;
  hospitalDecidedAt: Date | null;
  /** The viewer has opened the image. */
  opened: boolean;
  createdAt: Date;
  erasedAt: Date | null;
};

/** An event of a case. */
export type CaseEvent = {
  id: string;
  action: string;
  to: string;
  byId: string;
  by: string | null;
  byRole: Role;
  note: string | null;
  reasons: DocumentReason[];
  at: Date;
};

/** A case for reviewers and administrators. Contains only the last digits of numbers. */
export type CaseFile = {
  id: string;
  status: RegistrationStatus;
  name: string;
  email: string | null;
  phone: string | null;
  category: string;
  specialization: string;
  additional: string;
  experienceYears: number;
  fee: number | null;
  about: string;
  gender: Gender | null;
  dateOfBirth: string | null;
  councilName: string | null;
  councilNumber: string | null;
  councilYear: number | null;
  languages: string[];
  qualifications: Qualification[];
  city: string;
  state: string;
  aadhaarLast4: string | null;
  aadhaarErasedAt: Date | null;
  panLast4: string | null;
  submittedAt: Date | null;
  verifiedAt: Date | null;
  isDemo: boolean;
  /** The reviewer who takes care of it. */
  assignedTo: string | null;
  assignedName: string | null;
  hospital: {
    id: string;
    name: string;
    address: string;
    phone: string | null;
    status: (typeof HOSPITAL_STATUSES)[number];
    reviewers: number;
  } | null;
  bank: { bankName: string; bankBranch: string; accountHolderName: string; accountLast4: string; ifscCode: string } | null;
  documents: CaseDocument[];
  events: CaseEvent[];
};

/** Returns the short number of a case, for conversations: "D-3F9A2C". */
export const caseNumber = (doctorId: string) => `D-${doctorId.replaceAll("-", "").slice(0, 6).toUpperCase()}`;

/** True when the doctor has submitted more than once: unchanged documents preserve their decision. */
export const isResubmitted = ({ events }: Pick<CaseFile, "events">) => events.filter(({ action }) => action === "submit").length > 1;

/** Detail of a conflict: the current version of each document that another user decided meanwhile. */
export type Overtaken = { versions: Record<string, string> };
