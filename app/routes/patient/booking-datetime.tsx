import { href } from "react-router";
import { bookingSteps, DoctorLine } from "#app/domains/booking/appointments/components/doctor-line.tsx";
import { changeRuleInHours } from "#app/domains/booking/appointments/words.ts";
import { ChooseTime, ChosenTime, timeTitle } from "#app/domains/booking/availability/components/choose-time.tsx";
import { getMonthView } from "#app/domains/booking/availability/month-view.server.ts";
import { findPlaceOfSlot, listBookablePlaces } from "#app/domains/booking/availability/places.server.ts";
import { getRulesAtBooking } from "#app/domains/booking/cancellation/policies.server.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { prepaidWord } from "#app/domains/money/platform-fee/words.ts";
import { type actorCtxOf, toastContext } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { readOpen } from "#app/http/open-load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { isDateKey, parseTime } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Chips, Steps } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/booking-datetime.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = loadOwn((ctx, { context, request }: Route.LoaderArgs) =>
  readOpen(context, ctx, async (ctx) => {
    const query = new URL(request.url).searchParams;
    const doctor = await findBookableDoctor(ctx, query.get("doctorId"));
    // The step that redirected here has set a toast with what is missing.
    if (!doctor && context.get(toastContext)) throw redirectTo(href("/patient-dashboard"));
    if (!doctor) throw redirectWithToast(href("/patient-dashboard"), m.appointments_doctor_missing(), { type: "error" });
    const chosen = parseTime(query.get("time") ?? "");
    const asked = { month: query.get("month"), date: query.get("date") };
    const { places, place, view } = await withUnavailableMessage(m.api_availability_fetch_failed, async () => {
      const found = await placesOf(ctx, doctor, { practiceId: query.get("practiceId"), date: asked.date, time: chosen });
      return { ...found, view: await getMonthView(ctx, doctor.id, asked, found.place?.practiceId) };
    });
    const shown = place ? { ...doctor, hospitalName: place.hospitalName, fee: place.fee } : doctor;
    const rules = await getRulesAtBooking(ctx, { doctorId: doctor.id, practiceId: place?.practiceId ?? null });
    const platformFee = ctx.integrations.payments?.platformFee?.amount ?? null;
    const prepaid = rules.prepaid && shown.fee !== null ? { platformFee } : null;
    return { doctor: shown, places, practiceId: place?.practiceId ?? null, view, chosen, prepaid, refundHours: rules.refundHours };
  }),
);

type Asked = { practiceId: string | null; date: string | null; time: string | null };

/** Returns the places of a doctor with several, and the one whose times are shown: the asked one, that of the asked time, or the first. */
async function placesOf(ctx: ReturnType<typeof actorCtxOf>, doctor: { id: string; severalPlaces: boolean }, asked: Asked) {
  const found = doctor.severalPlaces ? await listBookablePlaces(ctx, doctor.id) : [];
  if (found.length < 2) return { places: [], place: found[0] ?? null };
  const { date, time } = asked;
  const ofTime =
    !asked.practiceId && date && isDateKey(date) && time ? await findPlaceOfSlot(ctx, { doctorId: doctor.id, date, time }) : null;
  const wished = asked.practiceId ?? ofTime?.practiceId;
  const place = found.find(({ practiceId }) => practiceId === wished) ?? found[0]!;
  return { places: found.map(({ practiceId, hospitalName, city }) => ({ practiceId, name: hospitalName ?? city ?? "" })), place };
}

export default function BookingDatetime({ loaderData }: Route.ComponentProps) {
  const { doctor, places, practiceId, view, chosen, prepaid, refundHours } = loaderData;
  const address = (change: { month?: string; date?: string; practiceId?: string }) =>
    `${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId: doctor.id, ...(places.length > 0 && practiceId && { practiceId }), ...change })}`;
  const waitlistOf = (date: string | null) =>
    `${href("/patient/waitlist/join")}?${new URLSearchParams({ doctorId: doctor.id, ...(date && { date }), ...(places.length > 0 && practiceId && { practiceId }) })}`;
  const waitlist = waitlistOf(view.date);
  const free = view.slots.some((s) => s.state === "free");
  // A day without times has nothing to wait for.
  const isFull = !free && (view.slots.length > 0 || view.date === null) && !view.isOver;
  // A session takes patients until it is full, so it has no waitlist.
  const gives = view.slots.some((s) => s.session);
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
        {places.length > 0 && (
          <Chips
            label={m.appointments_places()}
            chips={places.map((place) => ({
              to: address({ practiceId: place.practiceId }),
              label: place.name,
              current: place.practiceId === practiceId,
            }))}
          />
        )}
        <ChooseTime view={view} address={address} waitlist={waitlistOf} chosen={chosen} />
        {gives || <WaitlistLink isFull={isFull} to={waitlist} />}
        {prepaid && (
          <Note tone="warn" className="mt-2">
            {prepaidWord(prepaid.platformFee)}
          </Note>
        )}
        <p className="text-sm text-ink-soft mt-2">{changeRuleInHours(refundHours)}</p>
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

const WaitlistLink = ({ isFull, to }: { isFull: boolean; to: string }) => (
  <p className="mt-2">
    {isFull ? (
      <LinkButton to={to} variant="second">
        {m.waitlist_join()}
      </LinkButton>
    ) : (
      <LinkButton to={to} variant="quiet" size="sm" className="pl-0">
        {m.waitlist_join_full()}
      </LinkButton>
    )}
  </p>
);

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? timeTitle(m.appointments_book_title(), loaderData.view) : [{ title: m.ui_title({ page: m.appointments_book_title() }) }];
