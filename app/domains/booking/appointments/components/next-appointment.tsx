import { type Token, visitTimeWord } from "#app/domains/token-words.ts";
import { daysBetween, formatDay } from "#app/lib/dates.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "#app/ui/icon.tsx";
import { DateLeaf } from "#app/ui/members/date-leaf.tsx";
import { DeepCard } from "#app/ui/members/deep-card.tsx";
import { GoLink } from "#app/ui/pieces.tsx";
import { StatusBadge } from "./status-badge.tsx";

/** Returns "Today", "Tomorrow" or the day. */
export function dayWord(date: string, today: string): string {
  const days = daysBetween(today, date);
  return days === 0 ? m.ui_today() : days === 1 ? m.ui_tomorrow() : formatDay(date);
}

/** The dark panel of the next visit, with the pulse line. */
export function NextAppointment({
  appointment,
  today,
  to,
  label = m.appointments_next(),
}: {
  appointment: Partial<Token> & { date: string; time: string; status: AppointmentStatus; doctorName: string; hospitalName: string | null };
  today: string;
  to: string;
  label?: string;
}) {
  const { date, time, status, doctorName, hospitalName } = appointment;
  return (
    <DeepCard beat aria-label={label}>
      <div className="row flex-wrap">
        <DateLeaf date={date} />
        <div className="grow">
          <p className="text-sm text-ink-soft">{label}</p>
          <h2>
            <GoLink to={to}>
              {dayWord(date, today)}, <time dateTime={`${date}T${time}+05:30`}>{visitTimeWord(appointment)}</time>
            </GoLink>
          </h2>
          <p className="text-sm">{[doctorName, hospitalName].filter(Boolean).join(", ")}</p>
          {status === "pending" && (
            <p className="mt-1">
              <StatusBadge status={status} />
            </p>
          )}
        </div>
        <Icon name="chevron-right" small />
      </div>
    </DeepCard>
  );
}
