import type { PlainEntry, Queue } from "./queries.server.ts";

/** Returns the patient whose visit ended when this one was called: both have the time of the press. null: the room was empty. */
export function endedByCall<E extends PlainEntry>({ called, over }: Pick<Queue<E>, "called" | "over">, entryId: string): E | null {
  const at = called.find(({ id }) => id === entryId)?.calledAt?.getTime();
  return over.find(({ state, doneAt }) => state === "done" && doneAt !== null && doneAt.getTime() === at) ?? null;
}
