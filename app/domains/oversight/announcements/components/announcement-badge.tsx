import type { AnnouncementState } from "#app/db/schema/index.ts";
import { Badge } from "#app/ui/pieces.tsx";
import { announcementStateWord } from "../words.ts";

const TONES = { sending: "info", sent: "ok", withdrawn: "warn" } as const;

/** The state of an announcement. A draft has no colour. */
export const AnnouncementBadge = ({ state }: { state: AnnouncementState }) =>
  state === "draft" ? <Badge>{announcementStateWord(state)}</Badge> : <Badge tone={TONES[state]}>{announcementStateWord(state)}</Badge>;
