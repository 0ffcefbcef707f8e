import { href } from "react-router";
import { type BookedAge, bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import { type Token, visitTimeTitle } from "#app/domains/token-words.ts";
import type { DoctorAction } from "#app/domains/visit-time.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { daysBetween } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { AppointmentStatus, Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Beat } from "#app/ui/logo.tsx";
import { DateLeaf } from "#app/ui/members/date-leaf.tsx";
import { Badge, Card, GoLink, Meta, MetaLine } from "#app/ui/pieces.tsx";
import { CardActions } from "#app/ui/staff/card-actions.tsx";
import { AppointmentActions } from "./appointment-actions.tsx";
import { DayBadge } from "./day-badge.tsx";
import { DayStep } from "./day-step.tsx";
import { StatusBadge } from "./status-badge.tsx";

export type AppointmentCardProps = {
  appointment: Partial<Token> &
    BookedAge & {
      id: string;
      date: string;
      time: string;
      status: AppointmentStatus;
      reason: string;
      patientName: string;
      patientGender: Gender;
      patientPhone: string;
      records: number;
      actions: DoctorAction[];
    };
  today: string;
  /** Where the patient is in today's queue. */
  token?: DayToken | undefined;
  /** The next visit: shows the pulse line. */
  next?: boolean;
};

const payAt = (visitId: string) => href("/doctor/patient/:visitId/payment", { visitId });

/** An appointment in the doctor's list, with the actions that are allowed now. */
export function AppointmentCard({ appointment: a, today, token, next = false }: AppointmentCardProps) {
  const days = daysBetween(today, a.date);
  const [whose, when] = [`who-${a.id}`, `when-${a.id}`];
  return (
    <Card>
      {next && <Beat className="-mx-4 -mt-3 mb-1 [--x:1.6rem]" />}
      <div className="row items-start">
        <DateLeaf date={a.date} />
        <div className="grow">
          <p className="row flex-wrap gap-x-2 gap-y-1.5">
            <b className="text-lg" id={when}>
              {visitTimeTitle(a)}
            </b>
            {days >= 0 && (
              <Badge {...(days < 2 ? { tone: "info" as const } : {})}>
                {days === 0 ? m.ui_today() : days === 1 ? m.ui_tomorrow() : m.appointments_in_days({ days })}
              </Badge>
            )}
          </p>
          <h2 id={whose} className="mt-0.5">
            <GoLink to={href("/doctor/patient/:id", { id: a.id })}>{a.patientName}</GoLink>
          </h2>
          <p className="text-sm text-ink-soft">
            {bookedPatientWord(a)}, <span className="num">{formatPhone(a.patientPhone)}</span>
          </p>
        </div>
      </div>
      <p className="mt-3">
        <span className="text-ink-soft">{m.appointments_reason()}</span> {a.reason || m.appointments_not_specified()}
      </p>
      <MetaLine className="mt-2">
        {/* Spec 000 §4: pending has no badge, it shows the Accept button. */}
        {token && a.status === "accepted" ? (
          <DayBadge row={a} token={token} />
        ) : (
          a.status !== "pending" && <StatusBadge status={a.status} />
        )}
        {a.status !== "cancelled" && (
          <Meta icon="paperclip">
            {a.records === 0 ? m.appointments_no_documents() : m.appointments_documents_count({ count: a.records })}
          </Meta>
        )}
      </MetaLine>
      <CardActions>
        <AppointmentActions appointment={a}>
          {a.status === "accepted" && !a.actions.includes("complete") && (
            <DayStep row={a} token={token} by="doctor" today={today} takeAt={payAt} />
          )}
          <LinkButton to={href("/doctor/patient/:id", { id: a.id })} variant="second" size="sm" aria-describedby={`${whose} ${when}`}>
            {m.appointments_view_details()}
          </LinkButton>
        </AppointmentActions>
      </CardActions>
    </Card>
  );
}
