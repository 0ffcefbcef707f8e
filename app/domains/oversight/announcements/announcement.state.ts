import type { AnnouncementState } from "#app/db/schema/index.ts";
import { leadsFrom } from "#app/lib/state-table.ts";

/** The states of an announcement. A draft can be changed. The job ends sending. */
export const ANNOUNCEMENT_ACTIONS = {
  edit: { from: ["draft"], to: "draft", by: ["admin"] },
  send: { from: ["draft"], to: "sending", by: ["admin"] },
  finish: { from: ["sending"], to: "sent", by: ["system"] },
  withdraw: { from: ["draft", "sending", "sent"], to: "withdrawn", by: ["admin"] },
} as const satisfies Record<string, { from: readonly AnnouncementState[]; to: AnnouncementState; by: readonly string[] }>;
export type AnnouncementAction = keyof typeof ANNOUNCEMENT_ACTIONS;

export const canAnnounce = (action: AnnouncementAction, state: AnnouncementState): boolean =>
  leadsFrom(ANNOUNCEMENT_ACTIONS[action], state);
