/** A notification as pages receive it. */
export type LiveNotification = {
  _id: string;
  title: string;
  message: string;
  type: "success" | "warning" | "danger" | "info";
  read: boolean;
  createdAt: string;
  targetPath: string | null;
};

/** Events sent to a user's open pages (specification 000 §4.2, 001 §4.4). */
export type ServerEvents = {
  receiveNotification: (notification: LiveNotification) => void;
  notificationDeleted: (notification: { _id: string }) => void;
  /** `_id` null: all of them. */
  notificationRead: (notification: { _id: string | null }) => void;
  /** This user changed or booked this appointment, perhaps in another tab. Not in the specification. */
  appointmentChanged: (appointment: { _id: string }) => void;
  /** A queue that this socket watches changed. `_id`: the session. Not in the specification. */
  queueChanged: (session: { _id: string }) => void;
  /** Notifications may have been lost while the server could not listen: load the page's data again. Not in the specification. */
  missed: () => void;
};
export type ClientEvents = {
  /** Confirms the user's own room, which the server has joined already. */
  join: (userId: string, done?: (answer: { success: boolean }) => void) => void;
  /** Watches the queues of these sessions, instead of those before. The event has no data of patients. */
  watchQueue: (sessionIds: string[]) => void;
};
export const EVENT_NAMES = [
  "receiveNotification",
  "notificationDeleted",
  "notificationRead",
  "appointmentChanged",
] as const satisfies (keyof ServerEvents)[];
