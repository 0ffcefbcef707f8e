import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { statusWord } from "../words.ts";

const LOOK: Record<AppointmentStatus, { tone?: Tone; icon: IconName }> = {
  pending: { tone: "warn", icon: "clock" },
  accepted: { tone: "ok", icon: "circle-check" },
  completed: { icon: "check" },
  cancelled: { tone: "bad", icon: "circle-x" },
};

type Props = { status: AppointmentStatus; passed?: boolean; missed?: boolean; className?: string };
/**
 * Icon, text and colour of a status. `passed`: the visit has passed, so an accepted one shows as completed (spec 001 §4.3). `missed`: the
 * patient did not come, as the queue of the day says.
 */
export function StatusBadge({ status, passed = false, missed = false, className }: Props) {
  if (missed && status === "accepted")
    return (
      <Badge tone="warn" icon="calendar-x" {...(className ? { className } : {})}>
        {m.appointments_missed()}
      </Badge>
    );
  const shown = passed && status === "accepted" ? "completed" : status;
  return (
    <Badge {...LOOK[shown]} {...(className ? { className } : {})}>
      {statusWord(shown)}
    </Badge>
  );
}
