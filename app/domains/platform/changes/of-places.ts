/** Hospitals and clinics: staff, doctors, hours, web page and webhooks. */
import type { Consequences } from "./consequences.ts";

const member = { audit: { of: "membership", person: "user" } } as const;
const ownDoctor = { of: "doctor", person: "doctor" } as const;
const place = { audit: { of: "hospital" } } as const;
const imported = { audit: { of: "import" } } as const;
const importedPatient = { audit: { of: "import", person: "patient" } } as const;

export const OF_PLACES = {
  "membership.invite": { audit: { action: "invite-member", of: "membership" } },
  /** Again. */
  "invite-member": { audit: { of: "membership" } },
  "membership.accept": { audit: { action: "accept-membership", of: "membership", person: "user" } },
  // A merged hospital changes them too, so the command has the audit entry.
  "membership.suspend": {},
  "membership.resume": {},
  "membership.end": {},
  "suspend-member": member,
  "resume-member": member,
  "end-member": member,
  "decline-membership": { audit: { of: "membership" } },
  "edit-member": member,

  "upload-import": imported,
  "start-import": imported,
  "finish-import": imported,
  "undo-import": imported,
  "finish-undo-import": imported,
  /** For each patient of the file. */
  "import-patient": importedPatient,
  "import-undo-patient": importedPatient,
  "export-patients": { audit: { of: "export" } },

  "place-doctor.add": {},
  "place-doctor.accept-place": {},
  "place-doctor.accept-doctor": {},
  "place-doctor.end": {},
  "claim-doctor": { audit: ownDoctor, notify: { doctor: ["place-asks-doctor"] } },
  "ask-place": { audit: ownDoctor, notify: { owners: ["doctor-asks-place"] } },
  "accept-place": { audit: ownDoctor },
  "accept-doctor": { audit: ownDoctor },
  "end-place-doctor": { audit: ownDoctor },

  "practice.open": { audit: { ...ownDoctor, action: "open-practice" } },
  "practice.accept": { notify: { doctor: ["practice-accepted"] } },
  "practice.close": {
    audit: { ...ownDoctor, action: "close-practice" },
    pages: "directory",
    // Closed because its place was refused.
    notify: { doctor: ["practice-refused"] },
  },
  "change-practice": { audit: ownDoctor, pages: "directory" },
  "set-hours": { audit: ownDoctor, pages: "directory" },
  "enter-leave": { audit: ownDoctor, pages: "directory" },
  "end-leave": { audit: ownDoctor, pages: "directory" },
  "open-days": { pages: "directory" },

  "show-reasons-at-desk": place,
  "hide-reasons-at-desk": place,
  "choose-short-name": { audit: { of: "hospital" }, pages: "directory" },
  "set-embed-origins": place,
  "add-webhook": place,
  "edit-webhook": place,
  "pause-webhook": place,
  "resume-webhook": place,
  "remove-webhook": place,
  "rotate-webhook-secret": place,
  "disable-webhook": { audit: { of: "hospital" }, notify: { owners: ["webhook-disabled"] } },

  /** A member answers a conversation by SMS or WhatsApp, or lets Nadi answer it again. */
  "answer-message": { audit: { of: "message-thread", person: "patient" } },
  "set-keyword": { audit: { of: "hospital" } },
  "hand-back-message": { audit: { of: "message-thread", person: "patient" } },
} as const satisfies Record<string, Consequences>;
