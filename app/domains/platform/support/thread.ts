/** Most characters of a message. */
export const MAX_MESSAGE = 2000;

/** `author`: the administrator's name, for administrators only. */
export type ThreadMessage = { id: string; bySupport: boolean; content: string; createdAt: Date; author: string | null };

/** The appointment of a thread. */
export type ThreadVisit = { id: string; date: string; time: string; doctor: string; patient: string };
