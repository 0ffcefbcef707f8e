import { href } from "react-router";
import { bookingSteps, DoctorLine } from "#app/domains/booking/appointments/components/doctor-line.tsx";
import { ChooseTime, ChosenTime, timeTitle } from "#app/domains/booking/availability/components/choose-time.tsx";
import { getMonthView } from "#app/domains/booking/availability/month-view.server.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { actorCtxOf, toastContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { parseTime } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/booking-datetime.ts";

export const handle = { form: true, book: true, bar: false } satisfies PageHandle;
export const middleware = [requireRole("patient")];

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const query = new URL(request.url).searchParams;
  const doctor = await findBookableDoctor(ctx, query.get("doctorId"));
  // The step that redirected here has set a toast with what is missing.
  if (!doctor && context.get(toastContext)) throw redirectTo(href("/patient-dashboard"));
  if (!doctor) throw redirectWithToast(href("/patient-dashboard"), m.appointments_doctor_missing(), { type: "error" });
  const view = await withUnavailableMessage(m.api_availability_fetch_failed, () =>
    getMonthView(ctx, doctor.id, { month: query.get("month"), date: query.get("date") }),
  );
  return { doctor, view, chosen: parseTime(query.get("time") ?? "") };
});

export default function BookingDatetime({ loaderData }: Route.ComponentProps) {
  const { doctor, view, chosen } = loaderData;
  const address = (change: { month?: string; date?: string }) =>
    `${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId: doctor.id, ...change })}`;
  const free = view.slots.some((s) => s.state === "free");
  return (
    <Page
      wide
      wizard
      title={m.appointments_book_title()}
      back={{ to: href("/details/doctor/:id", { id: doctor.id }), label: m.appointments_back_to_doctor() }}
    >
      <Steps label={m.appointments_steps()} steps={bookingSteps()} current={0} />
      <form action={href("/patient/appointments/patient-detail")}>
        <input type="hidden" name="doctorId" value={doctor.id} />
        {view.date && <input type="hidden" name="date" value={view.date} />}
        <DoctorLine doctor={doctor} />
        <ChooseTime view={view} address={address} chosen={chosen} />
        <p className="small soft mt">{m.appointments_change_rule()}</p>
        <Dock>
          <ChosenTime
            view={view}
            note={doctor.fee === null ? m.doctors_fee_unknown() : m.appointments_fee_of({ fee: formatRupees(doctor.fee) })}
          />
          <Button type="submit" size="lg" iconEnd="arrow-right" disabled={!free}>
            {m.accounts_continue()}
          </Button>
        </Dock>
      </form>
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? timeTitle(m.appointments_book_title(), loaderData.view) : [{ title: m.ui_title({ page: m.appointments_book_title() }) }];
