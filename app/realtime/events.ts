/** What is told to a person's open pages. The names are the specification's (000 §4.2, 001 §4.4). */

/** A notification as a page shows it. */
export type LiveNotification = {
  _id: string;
  title: string;
  message: string;
  type: "success" | "warning" | "danger" | "info";
  read: boolean;
  createdAt: string;
  targetPath: string | null;
};

export type ServerEvents = {
  receiveNotification: (notification: LiveNotification) => void;
  notificationDeleted: (notification: { _id: string }) => void;
  /** Without an id: all of them. */
  notificationRead: (notification: { _id: string | null }) => void;
  /** Ours: this user changed or booked this appointment, perhaps on another open page. The other side gets a notification. */
  appointmentChanged: (appointment: { _id: string }) => void;
  /** Ours: news may have been lost on its way here (the server could not listen for a while), so ask again. */
  missed: () => void;
};
export type ClientEvents = {
  /** Asks for one's own room; the server has joined it already, so this only confirms. */
  join: (userId: string, done?: (answer: { success: boolean }) => void) => void;
};
export const EVENT_NAMES = [
  "receiveNotification",
  "notificationDeleted",
  "notificationRead",
  "appointmentChanged",
] as const satisfies (keyof ServerEvents)[];
