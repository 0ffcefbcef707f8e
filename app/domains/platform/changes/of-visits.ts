/** Consultations, documents and medical records. Audit entries are in the log of the patient. */
import type { Consequences } from "./consequences.ts";

const visit = { of: "visit", person: "patient" } as const;
const record = { of: "medical-record", person: "patient" } as const;
const permission = { of: "record-permission", person: "patient" } as const;
const share = { of: "record-share", person: "patient" } as const;

export const OF_VISITS = {
  "write-visit": { audit: visit },
  "discard-visit-draft": { audit: visit },
  "sign-prescription": { audit: visit, notify: { patient: ["prescription-signed", "prescription-replaced"] } },
  "sign-certificate": { audit: visit, notify: { patient: ["certificate-signed"] } },
  "sign-order": { audit: visit, notify: { patient: ["order-signed", "order-replaced"] } },
  // What the doctor did to the visit has the audit entry.
  "visit-document.write": {},
  "visit-document.sign": {},
  "visit-document.discard": {},
  "visit-document.supersede": {},
  "visit-document.cancel": {
    audit: { ...visit, action: "cancel-prescription" },
    notify: { patient: ["prescription-cancelled", "order-cancelled"] },
  },
  "remind-of-follow-up": { notify: { patient: ["follow-up-due"] } },

  "add-own-record": { audit: record, notify: { doctor: ["order-result"] } },
  "remove-own-record": { audit: record },
  "add-result": { audit: record, notify: { patient: ["result-added"], doctor: ["order-result"] } },
  "allow-records": { audit: permission },
  "end-record-permission": { audit: permission },
  "share-record": { audit: share },
  "end-record-share": { audit: share },
} as const satisfies Record<string, Consequences>;
