import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { statusWord } from "../words.ts";

const LOOK: Record<AppointmentStatus, { tone?: Tone; icon: IconName }> = {
  pending: { tone: "warn", icon: "clock" },
  accepted: { tone: "ok", icon: "circle-check" },
  completed: { icon: "check" },
  cancelled: { tone: "bad", icon: "circle-x" },
};

/** Icon, text and colour of a status. `passed`: the visit has passed, so an accepted one shows as completed (spec 001 §4.3). */
export function StatusBadge({ status, passed = false, className }: { status: AppointmentStatus; passed?: boolean; className?: string }) {
  const shown = passed && status === "accepted" ? "completed" : status;
  return (
    <Badge {...LOOK[shown]} {...(className ? { className } : {})}>
      {statusWord(shown)}
    </Badge>
  );
}
