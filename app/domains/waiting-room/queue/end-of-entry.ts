import type { AppointmentStatus, QueueEntryState } from "#app/lib/vocabulary.ts";
import type { QueueEntryAction } from "./entry.state.ts";

/** `signed`: the doctor has signed the prescription of the visit, so the patient was seen. */
type Entry = { state: QueueEntryState; dueAt: Date; visit: AppointmentStatus | null; signed: boolean };

/**
 * Returns how a patient's entry ends when the session is closed now. The visit under way is done, also that of a called patient, as the next call would
 * end it. Expected patients whose time has passed did not come. The others were not seen: the clinic closed before their turn. In a session that never
 * opened no patient has missed anything, and what `system` closes says nothing about its patients.
 */
export function endOfEntry(entry: Entry, session: { doctorInAt: Date | null }, now: Date, by: "staff" | "system"): QueueEntryAction {
  if (entry.state === "with-doctor" || (entry.state === "called" && entry.visit !== "completed")) return "finish";
  if (entry.visit === "completed" || entry.signed) return "complete";
  if (entry.state === "expected" && session.doctorInAt && entry.dueAt <= now) return "miss";
  return by === "system" ? "lapse" : "unseen";
}

/** How a patient can be informed that the queue is closed. `stopped`: the patient stopped the SMS about this token. */
export type Reach = "sms" | "stopped" | "no-phone";
export const reachOf = ({ phone, smsStopped }: { phone: string | null; smsStopped: boolean }): Reach =>
  !phone ? "no-phone" : smsStopped ? "stopped" : "sms";
