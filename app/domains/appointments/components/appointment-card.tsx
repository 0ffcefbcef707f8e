import type { ReactNode } from "react";
import type { AppointmentStatus, Gender } from "#app/db/schema/index.ts";
import { daysBetween, formatTime } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Badge, Card, DateLeaf, GoLink, Meta } from "#app/ui/pieces.tsx";
import { canDo } from "../appointment.state.ts";
import { genderWord } from "../words.ts";
import { StatusBadge } from "./status-badge.tsx";

export type AppointmentCardProps = {
  appointment: {
    id: string;
    date: string;
    time: string;
    status: AppointmentStatus;
    reason: string;
    patientName: string;
    patientAge: number;
    patientGender: Gender;
    patientPhone: string;
    records: number;
  };
  today: string;
  /** The next one to come: the beat runs over it. */
  next?: boolean;
};

/** An appointment in the doctor's list: who, when, why, and the presses that are legal now. */
export function AppointmentCard({ appointment: a, today, next = false }: AppointmentCardProps) {
  const away = daysBetween(today, a.date);
  return (
    <Card kind="appt" now={next}>
      <div className="row top-al">
        <DateLeaf date={a.date} />
        <div className="grow">
          <p className="row wrap when">
            <b className="num big">{formatTime(a.time)}</b>
            {away >= 0 && (
              <Badge {...(away < 2 ? { tone: "info" as const } : {})}>
                {away === 0 ? m.ui_today() : away === 1 ? m.ui_tomorrow() : m.appointments_in_days({ days: away })}
              </Badge>
            )}
          </p>
          <h2>
            <GoLink to={`/doctor/patient/${a.id}`}>{a.patientName}</GoLink>
          </h2>
          <p className="small soft">
            {a.patientAge}, {genderWord(a.patientGender).toLowerCase()}, <span className="num">{formatPhone(a.patientPhone)}</span>
          </p>
        </div>
      </div>
      <p className="why">
        <span className="soft">{m.appointments_reason()}</span> {a.reason || m.appointments_not_specified()}
      </p>
      <p className="meta mt">
        {/* Spec 000 §4: no badge while it is pending; the Accept button says it. */}
        {a.status !== "pending" && <StatusBadge status={a.status} />}
        <Meta icon="paperclip">{a.records === 0 ? m.appointments_no_papers() : m.appointments_papers_count({ count: a.records })}</Meta>
      </p>
      <div className="foot">
        <AppointmentActions id={a.id} status={a.status}>
          <LinkButton to={`/doctor/patient/${a.id}`} variant="second" size="sm">
            {m.appointments_view_details()}
          </LinkButton>
        </AppointmentActions>
      </div>
    </Card>
  );
}

/** Each legal action leads to its confirmation step (spec 000 §4: each action asks first). */
export function AppointmentActions({ id, status, children }: { id: string; status: AppointmentStatus; children?: ReactNode }) {
  const to = (action: string) => `/doctor/appointments/${id}/${action}`;
  return (
    <>
      {canDo("accept", status, "doctor") && (
        <LinkButton to={to("accept")} size="sm" icon="check">
          {m.appointments_accept()}
        </LinkButton>
      )}
      {canDo("complete", status, "doctor") && (
        <LinkButton to={to("complete")} size="sm" icon="check">
          {m.appointments_complete()}
        </LinkButton>
      )}
      {children}
      {canDo("cancel", status, "doctor") ? (
        <LinkButton to={to("cancel")} variant="quiet" size="sm" className="end">
          {m.appointments_cancel()}
        </LinkButton>
      ) : (
        <button type="button" className="btn quiet sm end" disabled>
          {status === "cancelled" ? m.appointments_status_cancelled() : m.appointments_cancel()}
        </button>
      )}
    </>
  );
}
