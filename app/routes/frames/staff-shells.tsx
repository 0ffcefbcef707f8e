/** Frames of the staff areas, also used by the account pages (/account). */

import type { ReactNode } from "react";
import { href } from "react-router";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { m } from "#app/paraglide/messages.js";
import { Live } from "#app/realtime/live.tsx";
import { type Place, StaffShell } from "#app/ui/shell.tsx";

const SECURITY = href("/account/security");
export const account = () => ({ to: SECURITY, label: m.accounts_security_place(), topLabel: m.accounts_account_place() });
export const leave = () => ({ to: href("/logout"), label: m.cases_place_log_out() });

/** Data of a doctor for the frame. */
export type DoctorHead = {
  id: string;
  name: string;
  photo: string | null;
  unread: number /** The doctor also works at the desk of a place. */;
  desk: boolean;
};

/** The frame of a verified doctor. */
export const DoctorShell = ({ doctor, children }: { doctor: DoctorHead; children: ReactNode }) => (
  <StaffShell
    home={href("/doctor-dashboard")}
    chat={href("/doctor/ai-chat")}
    bell={{ to: href("/doctor/notifications"), unread: doctor.unread }}
    avatar={{ to: href("/doctor/profile"), id: doctor.id, name: doctor.name, photo: photoPath(doctor.photo) }}
    places={[
      { to: href("/doctor-dashboard"), label: m.ui_place_home(), icon: "house" },
      { to: href("/doctor/stats"), label: m.statistics_place(), icon: "chart-column" },
      { to: href("/doctor/availability"), label: m.availability_place(), icon: "calendar-clock" },
      { to: href("/doctor/appointments"), label: m.appointments_schedule_place(), icon: "calendar-days", also: ["/doctor/patient"] },
      {
        to: href("/doctor/profile"),
        label: m.ui_place_profile(),
        icon: "user-round",
        also: [
          href("/doctor/profile-view"),
          href("/doctor/settings"),
          href("/doctor/help"),
          href("/doctor/terms"),
          "/account",
          href("/clinic"),
        ],
      },
    ]}
    more={[
      ...(doctor.desk ? [{ to: href("/desk"), label: m.desk_reception(), icon: "hospital" as const }] : []),
      { to: href("/doctor/queue"), label: m.queue_title(), icon: "list-ordered" },
      { to: href("/doctor/patients"), label: m.agenda_patients(), icon: "users" },
      { to: href("/doctor/takings"), label: m.money_takings(), icon: "indian-rupee", also: ["/doctor/payments"] },
      { to: href("/doctor/waitlist"), label: m.waitlist_title(), icon: "hourglass" },
      { to: href("/doctor/availability/week"), label: m.week_title(), icon: "clock" },
    ]}
  >
    <Live userId={doctor.id} />
    {children}
  </StaffShell>
);

/** `clinic`: the reviewer is a member of a place. `desk`: with a role that works at the desk. */
export const ReviewerShell = ({
  children,
  clinic,
  desk,
  messages,
}: {
  children: ReactNode;
  clinic: boolean;
  desk: boolean;
  messages: boolean;
}) => (
  <StaffShell
    home={href("/reviewer")}
    account={account()}
    leave={leave()}
    places={[
      { to: href("/reviewer"), label: m.cases_place_cases(), icon: "badge-check" },
      ...(desk ? deskPlaces(messages) : []),
      ...(clinic ? [{ to: href("/clinic"), label: m.clinic_place(), icon: "hospital" as const }] : []),
    ]}
  >
    {children}
  </StaffShell>
);

/** The pages of members who see the agenda of a place. */
const deskPlaces = (messages: boolean): Place[] => [
  { to: href("/desk"), label: m.desk_agenda(), icon: "calendar-days", exact: true, also: [href("/desk/accept"), "/desk/appointments"] },
  { to: href("/desk/queue"), label: m.queue_title(), icon: "list-ordered" },
  { to: href("/desk/waitlist"), label: m.waitlist_title(), icon: "hourglass" },
  ...(messages ? [{ to: href("/desk/messages"), label: m.inbox_title(), icon: "message-circle" as const }] : []),
];

/** The frame of a member of a place without another role. `desk`: their role works at the desk. `messages`: patients can write to it. */
export const ClinicShell = ({
  children,
  userId,
  desk,
  messages,
}: {
  children: ReactNode;
  userId: string;
  desk: boolean;
  messages: boolean;
}) => (
  <StaffShell
    home={desk ? href("/desk") : href("/clinic")}
    account={account()}
    leave={leave()}
    places={[...(desk ? deskPlaces(messages) : []), { to: href("/clinic"), label: m.clinic_place(), icon: "hospital" }]}
  >
    <Live userId={userId} />
    {children}
  </StaffShell>
);

/** The frame of a doctor whose application is not verified yet. */
export const ApplicantShell = ({ children }: { children: ReactNode }) => (
  <StaffShell
    home={href("/doctor-verify")}
    leave={leave()}
    places={[{ to: href("/doctor-verify"), label: m.accounts_verify_title(), icon: "badge-check" }]}
  >
    {children}
  </StaffShell>
);
