import { Outlet } from "react-router";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import type { loadOwnArea } from "#app/http/own-area.server.ts";
import { AdminShell } from "./admin-shell.tsx";
import { ApplicantShell, ClinicShell, DoctorShell, ReviewerShell } from "./staff-shells.tsx";

/** The frame of pages for several roles (/account, /clinic): that of the user's own area. */
export function OwnAreaFrame({
  loaderData: { role, userId, idle, doctor, clinic, desk, admin },
}: {
  loaderData: Awaited<ReturnType<typeof loadOwnArea>>;
}) {
  const page = (
    <>
      <Outlet />
      {idle && <IdleWarning {...idle} />}
    </>
  );
  if (doctor) return <DoctorShell doctor={doctor}>{page}</DoctorShell>;
  if (role === "reviewer")
    return (
      <ReviewerShell clinic={clinic} desk={desk}>
        {page}
      </ReviewerShell>
    );
  if (role === "staff")
    return (
      <ClinicShell userId={userId} desk={desk}>
        {page}
      </ClinicShell>
    );
  return admin ? <AdminShell {...admin}>{page}</AdminShell> : <ApplicantShell>{page}</ApplicantShell>;
}
