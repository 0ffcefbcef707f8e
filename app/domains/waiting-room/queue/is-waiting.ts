import type { QueueEntryState } from "#app/lib/vocabulary.ts";

/** True for an entry that can be called. */
export const isWaiting = <R extends { state: QueueEntryState; arrivedAt: Date | null }>(entry: R): entry is R & { arrivedAt: Date } =>
  entry.state === "arrived" && entry.arrivedAt !== null;
