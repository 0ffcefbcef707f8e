/** Registration and verification of doctors, their profiles, hospitals and reviewers. */
import type { Consequences } from "./consequences.ts";

const ownDoctor = { of: "doctor", person: "doctor" } as const;
const doctor = { audit: ownDoctor } as const;
const hospital = { audit: { of: "hospital" } } as const;
const listedHospital = { audit: { of: "hospital" }, pages: "directory" } as const;

export const OF_DOCTORS = {
  "doctor.register": { audit: { ...ownDoctor, action: "register-doctor" } },
  "doctor.submit": {
    audit: { ...ownDoctor, action: "submit-doctor" },
    notify: { doctor: ["doctor-submitted"], reviewers: ["case-waiting"] },
  },
  "doctor.hospital-approve": {
    audit: { ...ownDoctor, action: "hospital-approve-doctor" },
    notify: { doctor: ["doctor-hospital-approved"], administrators: ["case-waiting"] },
  },
  "doctor.hospital-reject": { audit: { ...ownDoctor, action: "hospital-reject-doctor" }, notify: { doctor: ["doctor-rejected"] } },
  "doctor.approve": { audit: { ...ownDoctor, action: "approve-doctor" }, notify: { doctor: ["doctor-verified"] }, pages: "directory" },
  "doctor.reject": { audit: { ...ownDoctor, action: "reject-doctor" }, notify: { doctor: ["doctor-rejected"] } },
  "doctor.revise": { audit: { ...ownDoctor, action: "revise-doctor" } },
  "doctor.return": { audit: { ...ownDoctor, action: "return-doctor" }, notify: { doctor: ["doctor-rejected"] } },
  "doctor.suspend": { audit: { ...ownDoctor, action: "suspend-doctor" }, notify: { doctor: ["doctor-suspended"] }, pages: "directory" },
  "doctor.reinstate": {
    audit: { ...ownDoctor, action: "reinstate-doctor" },
    notify: { doctor: ["doctor-reinstated"] },
    pages: "directory",
  },
  "assign-case": { audit: ownDoctor, notify: { assignee: ["case-assigned"] } },
  "remind-of-case": { notify: { reviewers: ["case-reminder"], administrators: ["case-reminder", "case-late"] } },
  "add-document": doctor,
  "remove-document": doctor,
  "decide-documents": doctor,
  "erase-identity": doctor,
  "remove-unfinished-application": doctor,

  "profile-change.ask": { audit: { ...ownDoctor, action: "ask-profile-change" }, notify: { doctor: ["bank-change-asked"] } },
  // Asking again withdraws the change before it, without an audit entry.
  "profile-change.withdraw": {},
  "withdraw-profile-change": doctor,
  "profile-change.approve": {
    audit: { ...ownDoctor, action: "approve-profile-change" },
    notify: { doctor: ["profile-change-approved"] },
    pages: "directory",
  },
  "profile-change.refuse": { audit: { ...ownDoctor, action: "refuse-profile-change" }, notify: { doctor: ["profile-change-refused"] } },
  "edit-doctor-profile": { audit: { ...ownDoctor, action: "edit-profile" }, pages: "directory" },

  "propose-hospital": { audit: { of: "hospital", person: "user" } },
  "create-hospital": listedHospital,
  "edit-hospital": listedHospital,
  "confirm-hospital": listedHospital,
  "refuse-hospital": listedHospital,
  "merge-hospitals": listedHospital,
  "move-doctor-to-hospital": { audit: ownDoctor, notify: { reviewers: ["case-waiting"] } },
  "invite-reviewer": hospital,
  "take-back-invitation": hospital,
  "accept-invitation": { audit: { of: "hospital", person: "user" } },
  "remove-reviewer": { audit: { of: "hospital", person: "user" } },
} as const satisfies Record<string, Consequences>;
