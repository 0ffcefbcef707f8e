import { m } from "#app/paraglide/messages.js";
import type { ChangedPractice } from "./change-practice.server.ts";

/** Returns what became of the appointments of a leave or a closed practice, a sentence for each kind. */
export const settledWords = ({ cancelled, moved, offered }: { cancelled: number; moved: number; offered: number }): string[] =>
  [
    cancelled && m.proposals_were_cancelled({ count: cancelled }),
    moved && m.proposals_were_moved({ count: moved }),
    offered && m.proposals_were_offered({ count: offered }),
  ].filter((words) => typeof words === "string");

/** Returns what patients can book after a change of the mode. */
export const modeChangedWord = ({ mode, open }: NonNullable<ChangedPractice>): string =>
  mode === "tokens" ? m.practices_now_tokens({ count: open }) : m.practices_now_slots({ count: open });
