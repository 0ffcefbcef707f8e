import type { AnnouncementState } from "#app/db/schema/index.ts";
import type { Audience } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const AUDIENCE: Record<Audience, () => string> = {
  patients: () => m.announce_to_patients(),
  doctors: () => m.announce_to_doctors(),
  reviewers: () => m.announce_to_reviewers(),
  staff: () => m.announce_to_staff(),
  members: () => m.announce_to_members(),
  "place-doctors": () => m.announce_to_place_doctors(),
};
/** Returns an audience, with its place where it has one. */
export const audienceWord = (audience: Audience, place?: string | null): string =>
  place ? `${AUDIENCE[audience]()}: ${place}` : AUDIENCE[audience]();

const STATE: Record<AnnouncementState, () => string> = {
  draft: () => m.announce_state_draft(),
  sending: () => m.announce_state_sending(),
  sent: () => m.announce_state_sent(),
  withdrawn: () => m.announce_state_withdrawn(),
};
export const announcementStateWord = (state: AnnouncementState): string => STATE[state]();
