import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { isOpen } from "#app/domains/appointment.state.ts";
import { CallHospital } from "#app/domains/booking/appointments/components/call-hospital.tsx";
import { NextAppointment } from "#app/domains/booking/appointments/components/next-appointment.tsx";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { listPatientAppointments } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { changeRuleWord } from "#app/domains/booking/appointments/words.ts";
import { asksPatient } from "#app/domains/booking/payments/payment-status.ts";
import { isWaiting } from "#app/domains/booking/waitlist/queries.server.ts";
import { ownPaymentWord } from "#app/domains/money/payments/words.ts";
import { visitTimeTitle, visitTimeWord } from "#app/domains/token-words.ts";
import { findLastSeen, findNext, isOver, type Minute } from "#app/domains/visit-time.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import {
  addToMonth,
  formatDay,
  formatMonth,
  isDateKey,
  isMonthKey,
  monthGrid,
  monthOf,
  shortTime,
  timeInIndia,
  todayInIndia,
} from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { CalendarColumns, CalendarGrid, MonthHead } from "#app/ui/calendar.tsx";
import { DateLeaf } from "#app/ui/members/date-leaf.tsx";
import { DeepCard } from "#app/ui/members/deep-card.tsx";
import { Card, GoLink, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/calendar.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const query = new URL(request.url).searchParams;
  const today = todayInIndia(ctx.now);
  const asked = query.get("month") ?? "";
  const month = isMonthKey(asked) ? asked : monthOf(today);
  const day = query.get("day") ?? "";
  const [found, waiting] = await withUnavailableMessage(m.api_bookings_failed, () =>
    Promise.all([listPatientAppointments(ctx), isWaiting(ctx)]),
  );
  const now = timeInIndia(ctx.now);
  const bookings = found.map((booking) => {
    // The page gets the words of the payment, not its sums.
    const { fee, discount, received, refunded, corrected, notReturned, confirming, refundOwed, ...shown } = booking;
    const open = isOpen(booking) && !isOver(booking, { date: today, time: now });
    return { ...shown, payment: ownPaymentWord(booking, open), choosable: open && !booking.paymentMethod && asksPatient(booking) };
  });
  const tab: Tab = query.get("tab") === "past" ? "past" : "upcoming";
  return { bookings, waiting, month, today, now, day: isDateKey(day) ? day : null, tab };
});

type Tab = "upcoming" | "past";
type Data = Route.ComponentProps["loaderData"];
type Booking = Data["bookings"][number];

export default function PatientCalendar({ loaderData }: Route.ComponentProps) {
  const { bookings, waiting, month, today, now, day, tab } = loaderData;
  const clock = { date: today, time: now };
  const byDay = Map.groupBy(bookings, (b) => b.date);
  const todays = (byDay.get(today) ?? []).filter((b) => b.status !== "cancelled");
  const next = findNext(bookings, clock);
  const last = next ? null : findLastSeen(bookings, clock);
  const [upcoming, past] = [bookings.filter((b) => isUpcoming(b, clock)), bookings.filter((b) => !isUpcoming(b, clock)).reverse()];
  // The appointments of today stand above the list.
  const later = upcoming.filter((b) => !todays.includes(b));
  const shown = day ? (byDay.get(day) ?? []) : tab === "past" ? past : later;
  const address = (query: { month?: string; day?: string; tab?: Tab }) => {
    const kept = new URLSearchParams({ ...query, ...(tab === "past" && !query.tab && { tab }) });
    return `${href("/patient/calendar")}${kept.size ? `?${kept}` : ""}`;
  };
  return (
    <Page wide title={m.appointments_calendar_title()}>
      <Tabs
        label={m.appointments_tabs()}
        tabs={[
          { to: href("/patient/calendar"), label: m.appointments_tab_upcoming(), count: upcoming.length, current: tab === "upcoming" },
          { to: `${href("/patient/calendar")}?tab=past`, label: m.appointments_tab_past(), count: past.length, current: tab === "past" },
        ]}
      />
      {waiting && <WaitlistLink />}
      <CalendarColumns className="mt-7">
        <div>
          {/* Appointments of today are on the page once: here, or in the list of the chosen day. */}
          {tab === "upcoming" && day !== today && <TodayOrNext todays={todays} next={next} last={last} clock={clock} />}
          {(shown.length > 0 || todays.length === 0 || day !== null || tab === "past") && (
            <section className={tab === "upcoming" ? "mt-7" : undefined} aria-labelledby="bookings">
              <SectionHead>
                <h2 id="bookings">{day ? m.appointments_bookings_on({ day: formatDay(day) }) : m.appointments_bookings()}</h2>
                {day && <Link to={`${address({ month })}#bookings`}>{m.appointments_all_bookings()}</Link>}
              </SectionHead>
              {shown.length === 0 ? (
                <NoBookings day={day} tab={tab} some={bookings.length > 0} past={past.length > 0 && address({ tab: "past" })} />
              ) : (
                <ul className="grid grid-cols-1 gap-3">
                  {shown.map((b) => (
                    <li key={b.id}>
                      <BookingCard booking={b} clock={clock} />
                    </li>
                  ))}
                </ul>
              )}
            </section>
          )}
        </div>
        <MonthSection {...{ month, today, day, byDay, address }} hasUpcoming={upcoming.length > 0} />
      </CalendarColumns>
    </Page>
  );
}

function MonthSection({ hasUpcoming, ...of }: Month & { hasUpcoming: boolean }) {
  const { month, address } = of;
  const step = (to: string) => ({ to: `${address({ month: to })}#h-month`, label: formatMonth(to) });
  return (
    <section aria-labelledby="h-month">
      <MonthHead id="h-month" title={formatMonth(month)} previous={step(addToMonth(month, -1))} next={step(addToMonth(month, 1))} />
      <CalendarGrid labelledBy="h-month" weeks={weeksOf(of)} />
      {hasUpcoming && (
        <p className="mt-2">
          <LinkButton to={href("/patient/settings/calendar")} variant="quiet" size="sm" className="pl-0">
            {m.feed_setting_open()}
          </LinkButton>
        </p>
      )}
    </section>
  );
}

const WaitlistLink = () => (
  <p className="mt-2">
    <Link className="inline-flex items-center min-h-target-min" to={href("/patient/waitlist")}>
      {m.waitlist_see()}
    </Link>
  </p>
);

/** Today's appointments, else the next one, else the last. */
const TodayOrNext = ({
  todays,
  next,
  last,
  clock,
}: {
  todays: Booking[];
  next: Booking | null | undefined;
  last: Booking | null | undefined;
  clock: Minute;
}) => (
  <section aria-labelledby="h-side" className="space-y-4">
    {todays.length > 0 ? (
      <>
        <h2 id="h-side">{m.appointments_todays()}</h2>
        {todays.map((b) => (
          <BookingCard key={b.id} booking={b} clock={clock} active={b.id === next?.id} />
        ))}
      </>
    ) : next ? (
      <>
        <h2 id="h-side">{m.appointments_active()}</h2>
        <NextAppointment appointment={next} today={clock.date} to={href("/patient/appointments/:id", { id: next.id })} />
      </>
    ) : last ? (
      <>
        <h2 id="h-side">{m.appointments_last()}</h2>
        <BookingCard booking={last} clock={clock} />
        <ScheduleButton />
      </>
    ) : (
      <>
        <h2 id="h-side" className="sr-only">
          {m.appointments_active()}
        </h2>
        <EmptyState drawing="time" title={m.appointments_none()} action={<ScheduleButton />} />
      </>
    )}
  </section>
);

/** `past`: the address of the past appointments, if there are any. */
const NoBookings = ({ day, tab, some, past }: Pick<Data, "day" | "tab"> & { some: boolean; past: string | false }) => (
  <div className="space-y-4">
    <p className="text-ink-soft">{m.appointments_no_bookings()}</p>
    {!day && some && <p>{tab === "past" ? m.appointments_none_past() : m.appointments_none_coming()}</p>}
    {!day && tab === "past" && <ScheduleButton />}
    {!day && tab === "upcoming" && past && <Link to={past}>{m.appointments_see_past()}</Link>}
  </div>
);

type Month = Pick<Data, "month" | "today" | "day"> & {
  byDay: Map<string, Booking[]>;
  address: (query: { month: string; day?: string }) => string;
};
/** Returns the days of a month for the calendar. A day with appointments is a link to them. */
const weeksOf = ({ month, today, day, byDay, address }: Month) =>
  monthGrid(month).map((week) =>
    week.map((date) => {
      if (!date) return null;
      const own = (byDay.get(date) ?? []).filter((b) => b.status !== "cancelled");
      const label = own.length ? `${formatDay(date)}, ${own.map(visitTimeWord).join(", ")}` : undefined;
      return {
        date,
        state: date < today ? "past" : "none",
        today: date === today,
        chosen: date === day,
        badges: own.map((b) => shortTime(b.expected?.from ?? b.expectedTime ?? b.time)),
        ...(label ? { label, to: `${address({ month, day: date })}#bookings` } : {}),
      } as const;
    }),
  );

/** True for the tab Upcoming: open and not over. Everything else is past, also a cancelled appointment of a later day. */
const isUpcoming = (booking: Booking, clock: Minute) => isOpen(booking) && !isOver(booking, clock);

const ScheduleButton = () => (
  <LinkButton to={href("/doctorspages/Cards-data")} variant="second">
    {m.appointments_schedule()}
  </LinkButton>
);

type CardProps = { booking: Booking; clock: Minute };

/** `active`: the dark panel of the page, with what can be done below it. */
function BookingCard({ booking, clock, active = false }: CardProps & { active?: boolean }) {
  const facts = <BookingFacts booking={booking} clock={clock} />;
  const actions = actionsOf({ booking, clock });
  if (active)
    return (
      <div>
        <DeepCard beat>{facts}</DeepCard>
        {actions && <div className="mt-3 flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    );
  return (
    <Card>
      {facts}
      {actions && <div className="foot">{actions}</div>}
    </Card>
  );
}

const BookingFacts = ({ booking: b, clock }: CardProps) => (
  <div className="row flex-wrap items-start">
    <DateLeaf date={b.date} />
    <div className="grow space-y-1">
      <p className="row flex-wrap">
        <b>{visitTimeTitle(b)}</b>
        <StatusBadge status={b.status} passed={isOver(b, clock)} missed={b.missed} />
      </p>
      <h3>
        <GoLink to={href("/patient/appointments/:id", { id: b.id })}>
          {b.doctorName}
          <span className="sr-only">
            , {formatDay(b.date)}, {visitTimeWord(b)}
          </span>
        </GoLink>
      </h3>
      {b.hospitalName && <p className="text-sm">{b.hospitalName}</p>}
      <p className="text-sm text-ink-soft">
        {m.appointments_for({ name: b.patientName })} · {b.reason || m.appointments_not_specified()}
      </p>
      {b.payment && <p className="text-sm">{b.payment}</p>}
    </div>
  </div>
);

/** What a patient can do with a booking; null for nothing. */
function actionsOf({ booking: b, clock }: CardProps) {
  // For screen readers, which list links without context.
  const ofVisit = (
    <span className="sr-only">
      {" "}
      {b.doctorName}, {formatDay(b.date)}, {visitTimeWord(b)}
    </span>
  );
  const again = !b.doctorDelisted && (
    <LinkButton
      to={`${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId: b.doctorId })}`}
      variant="quiet"
      size="sm"
      // Alone it begins where the facts above do.
      className={b.status === "completed" ? "" : "pl-0"}
    >
      {m.appointments_book_again()}
      {ofVisit}
    </LinkButton>
  );
  if (b.status === "completed")
    return (
      <>
        <LinkButton to={href("/patient/appointments/:id/review", { id: b.id })} variant="second" size="sm">
          {b.reviewed ? m.reviews_yours() : m.reviews_write()}
          {ofVisit}
        </LinkButton>
        {again}
      </>
    );
  if (!isOpen(b) || isOver(b, clock)) return again || null;
  return <OpenActions booking={b} ofVisit={ofVisit} />;
}

const OpenActions = ({ booking: b, ofVisit }: { booking: Booking; ofVisit: ReactNode }) => (
  <>
    {b.doctorDelisted ? (
      <>
        <p className="text-sm">{m.appointments_doctor_away()}</p>
        <CallHospital appointment={b} small>
          {ofVisit}
        </CallHospital>
      </>
    ) : (
      b.choosable && (
        <LinkButton to={href("/patient/appointments/payment/:id", { id: b.id })} variant="second" size="sm">
          {m.payments_change()}
          {ofVisit}
        </LinkButton>
      )
    )}
    {b.movable && (
      <LinkButton to={href("/patient/appointments/:id/reschedule", { id: b.id })} variant="second" size="sm">
        {m.appointments_reschedule()}
        {ofVisit}
      </LinkButton>
    )}
    {b.cancellable && (
      <LinkButton to={href("/patient/appointments/:id/cancel", { id: b.id })} variant="quiet" size="sm">
        {m.appointments_cancel()}
        {ofVisit}
      </LinkButton>
    )}
    {!b.cancellable && (
      <>
        <p className="text-sm text-ink-soft">{changeRuleWord(b)}</p>
        <CallHospital appointment={b} small>
          {ofVisit}
        </CallHospital>
      </>
    )}
    {b.cancellable && !b.doctorDelisted && <p className="text-sm text-ink-soft">{changeRuleWord(b)}</p>}
  </>
);

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: m.ui_title({ page: [m.appointments_calendar_title(), loaderData && formatMonth(loaderData.month)].filter(Boolean).join(" · ") }),
  },
];
