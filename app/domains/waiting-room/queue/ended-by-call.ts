import { minutes } from "#app/lib/durations.ts";
import type { PlainEntry, Queue } from "./queries.server.ts";

/** A called patient is with the doctor by then, also when nobody pressed "Enter". */
const TIME_TO_UNDO = minutes(5);

/** Returns true while a call can be taken back. */
export const canTakeBack = (calledAt: Date, now: Date): boolean => now.getTime() - calledAt.getTime() <= TIME_TO_UNDO;

/** Returns the patient whose visit ended when this one was called: both have the time of the press. null: the room was empty. */
export function endedByCall<E extends PlainEntry>({ called, over }: Pick<Queue<E>, "called" | "over">, entryId: string): E | null {
  const at = called.find(({ id }) => id === entryId)?.calledAt?.getTime();
  return over.find(({ state, doneAt }) => state === "done" && doneAt !== null && doneAt.getTime() === at) ?? null;
}
