import type { AuditSubject } from "../audit/record.server.ts";
import type { NotificationKind } from "../notifications/kinds.ts";

/** Whom a change concerns. `actor`: the user whose side acted, also when a member or an administrator acts for them. */
export type Who = "actor" | "patient" | "doctor" | "user" | "author" | "assignee" | "staff" | "owners" | "reviewers" | "administrators";

/**
 * What follows from a kind of change, in this order. A kind that is also one of EVENT_ACTIONS has an event for webhooks. Emails, SMS and messages to
 * browsers follow from the kind of notification (NOTIFICATION_KINDS, PUSH_GROUPS).
 */
export type Consequences = {
  /** The entry of the audit log: its action (default: the kind), the type of its subject, and whose record it is. */
  audit?: { action?: string; of: AuditSubject; person?: Who };
  /** Who is notified, with which texts: the first, unless the command names another. */
  notify?: { [W in Who]?: readonly [NotificationKind, ...NotificationKind[]] };
  /** Whose open pages load the appointment again. */
  live?: readonly Who[];
  /** The open agendas of the members who act for the doctor at the place of the appointment load again. */
  desks?: true;
  /** The open pages of the queue load again. */
  queue?: true;
  /** Public pages that are dropped, also from CDNs: those that show the doctor, or all of the directory. */
  pages?: "doctor" | "directory";
  /** A patient who made the change gets this email: it changes the entry in their calendar. */
  email?: "own-change-email";
};
