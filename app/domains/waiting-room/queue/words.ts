import type { QueueEntryState, QueueKind, QueueSessionState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { QueuePart } from "./parts.ts";

const SESSION: Record<QueueSessionState, () => string> = {
  planned: () => m.queue_state_planned(),
  open: () => m.queue_state_open(),
  paused: () => m.queue_state_paused(),
  closed: () => m.queue_state_closed(),
};
/** "Not started", "Paused". */
export const sessionStateWord = (state: QueueSessionState): string => SESSION[state]();

const ENTRY: Record<QueueEntryState, () => string> = {
  expected: () => m.queue_entry_expected(),
  arrived: () => m.queue_entry_arrived(),
  called: () => m.queue_entry_called(),
  "with-doctor": () => m.queue_entry_with_doctor(),
  done: () => m.queue_entry_done(),
  skipped: () => m.queue_entry_skipped(),
  left: () => m.queue_entry_left(),
  "no-show": () => m.queue_entry_no_show(),
  unseen: () => m.queue_entry_unseen(),
  lapsed: () => m.queue_entry_lapsed(),
};
/** "Waiting", "Missed". */
export const entryStateWord = (state: QueueEntryState): string => ENTRY[state]();

const PART: Record<QueuePart, () => string> = {
  morning: () => m.ui_morning(),
  afternoon: () => m.ui_afternoon(),
  evening: () => m.ui_evening(),
};
/** "Morning". */
export const partWord = (part: QueuePart): string => PART[part]();

/** "Booked", "Walk-in". */
export const kindWord = (kind: QueueKind): string => (kind === "booked" ? m.agenda_booked() : m.queue_walk_in());
