/** Payments, refunds and payouts. Audit entries of appointments are in the log of the patient. */
import type { Consequences } from "./consequences.ts";

const appointment = { of: "appointment", person: "patient" } as const;
const live = ["patient"] as const;

export const OF_MONEY = {
  // The agendas of doctor and desk show what is due.
  "payment.receive": { audit: { ...appointment, action: "record-payment" }, live: ["patient", "doctor"], desks: true },
  // A refund has one audit entry, also where nothing of the clinic's part is returned.
  "payment.refund": {},
  "payment.refund-part": {},
  "payment.restore": {},
  "payment.restore-part": {},
  "refund-payment": { audit: appointment, live },
  "check-payment": { audit: appointment },
  "notify-of-money": {
    notify: {
      patient: ["payment-received", "payment-late", "refund-started", "refund-done", "refund-failed"],
      doctor: ["refund-stuck"],
      staff: ["refund-stuck"],
    },
  },

  "leave-refund-unsolved": { notify: { administrators: ["refund-unsolved"] } },

  "payment-order.create": {},
  "payment-order.pay": { live },
  // A patient who begins again makes an old order expire. Their open pages load with the new one.
  "payment-order.expire": { live },
  "payment-order.fail": { live },
  "provider-refund.request": {},
  "provider-refund.process": { live },
  "provider-refund.fail": { live },
  "provider-refund.retry": {},
  "provider-refund.withdraw": {},

  "change-payout-account-of-doctor": { audit: { action: "change-payout-account", of: "doctor", person: "doctor" } },
  "change-payout-account-of-place": { audit: { action: "change-payout-account", of: "hospital" } },
  "confirm-payout-account-of-doctor": { audit: { action: "confirm-payout-account", of: "doctor", person: "doctor" } },
  "confirm-payout-account-of-place": { audit: { action: "confirm-payout-account", of: "hospital" } },
  "refuse-payout-account-of-doctor": { audit: { action: "refuse-payout-account", of: "doctor", person: "doctor" } },
  "refuse-payout-account-of-place": { audit: { action: "refuse-payout-account", of: "hospital" } },
} as const satisfies Record<string, Consequences>;
