/** Accounts, settings, support, wallets, the assistant, announcements. */
import type { Consequences } from "./consequences.ts";

const ownUser = { of: "user", person: "user" } as const;
const user = { audit: ownUser } as const;
const thread = { of: "support-thread", person: "user" } as const;
const wallet = { audit: { of: "wallet", person: "user" } } as const;

export const OF_ACCOUNTS = {
  "log-in": user,
  "log-out": user,
  "end-other-sessions": user,
  "end-sessions": user,
  "end-all-sessions": { audit: { of: "session" } },
  "confirm-identity": user,
  "request-password-reset": user,
  "reset-password": { audit: ownUser, notify: { user: ["password-reset"] } },
  "change-password": { audit: ownUser, notify: { user: ["password-changed"] } },
  /** By an operator, for an administrator. */
  "replace-password": { audit: { ...ownUser, action: "change-password" } },
  "add-passkey": { audit: ownUser, notify: { user: ["passkey-added"] } },
  "rename-passkey": user,
  "remove-passkey": { audit: ownUser, notify: { user: ["passkey-removed"] } },
  "refuse-passkey": user,
  "revoke-app": user,
  "claim-account": { audit: ownUser, notify: { user: ["account-claimed"] } },
  "make-admin": user,
  "disable-user": user,
  "enable-user": user,
  "delete-account": user,
  "remove-unclaimed-account": user,

  "save-settings": user,
  "edit-profile": user,
  "request-email": user,
  "confirm-email": user,
  "remove-email": user,
  "add-push": user,
  "remove-push": user,
  /** The push service of a browser refuses all messages. */
  "end-push": { notify: { user: ["push-ended"] } },
  /** STOP and START by SMS or WhatsApp. */
  "stop-messages": { audit: { of: "message-thread", person: "patient" } },
  "start-messages": { audit: { of: "message-thread", person: "patient" } },
  "consent-assistant": user,
  "withdraw-assistant": user,
  "delete-chats": { audit: { of: "conversation", person: "user" } },
  "complete-mission": wallet,
  "redeem-offer": wallet,

  "ask-support": { audit: { of: "support-thread" } },
  "reply-support": { audit: { of: "support-thread" }, notify: { assignee: ["support-replied"] } },
  "reopen-support": { audit: { of: "support-thread" }, notify: { assignee: ["support-replied"] } },
  "answer-support": { audit: thread, notify: { user: ["support-answered"] } },
  "close-support": { audit: thread, notify: { user: ["support-closed"] } },
  "assign-support": { audit: thread },
  "release-support": { audit: thread },
  "help-with-appointment": {
    audit: { of: "appointment", person: "patient" },
    notify: {
      patient: ["appointment-cancelled-as-asked", "appointment-moved-as-asked"],
      doctor: ["appointment-cancelled-as-asked", "appointment-moved-as-asked"],
    },
  },
  // The job of the announcement notifies its audience in batches.
  "send-announcement": { audit: { of: "announcement" } },
  "withdraw-announcement": { audit: { of: "announcement" } },
} as const satisfies Record<string, Consequences>;
