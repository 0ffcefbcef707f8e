import { Outlet } from "react-router";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { load } from "#app/http/load.server.ts";
import type { Route } from "./+types/own-area.ts";
import { AdminShell } from "./admin-shell.tsx";
import { loadOwnArea } from "./load-own-area.server.ts";
import { ApplicantShell, ClinicShell, DoctorShell, ReviewerShell } from "./staff-shells.tsx";

export const loader = load(loadOwnArea);

/** The frame of pages for several roles (/account, /clinic, /desk): that of the user's own area. */
export default function OwnAreaFrame({ loaderData }: Route.ComponentProps) {
  const { role, userId, idle, doctor, clinic, desk, messages, admin } = loaderData;
  const page = (
    <>
      <Outlet />
      {idle && <IdleWarning {...idle} />}
    </>
  );
  if (doctor) return <DoctorShell doctor={doctor}>{page}</DoctorShell>;
  if (role === "reviewer")
    return (
      <ReviewerShell clinic={clinic} desk={desk} messages={messages}>
        {page}
      </ReviewerShell>
    );
  if (role === "staff")
    return (
      <ClinicShell userId={userId} desk={desk} messages={messages}>
        {page}
      </ClinicShell>
    );
  return admin ? <AdminShell {...admin}>{page}</AdminShell> : <ApplicantShell>{page}</ApplicantShell>;
}
