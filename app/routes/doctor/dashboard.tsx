import { href, Link } from "react-router";
import { ActionButton, AskFirst } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { DayBadge } from "#app/domains/booking/appointments/components/day-badge.tsx";
import { DayStep } from "#app/domains/booking/appointments/components/day-step.tsx";
import { dayWord } from "#app/domains/booking/appointments/components/next-appointment.tsx";
import { type DayState, dayStateOf } from "#app/domains/booking/appointments/day-state.ts";
import { listWaiting, type WaitingVisit } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { countDay } from "#app/domains/booking/appointments/to-come.server.ts";
import { findLastSlotDate } from "#app/domains/booking/availability/queries.server.ts";
import { listDay } from "#app/domains/clinic/agenda/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { getDoctorName } from "#app/domains/directory/doctors/queries.server.ts";
import { AnnouncementBanner } from "#app/domains/oversight/announcements/components/announcement-banner.tsx";
import { findBanner } from "#app/domains/oversight/announcements/queries.server.ts";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import { NextStepsCard } from "#app/domains/practice/statistics/components/next-steps.tsx";
import { getDoctorStats, getNextSteps } from "#app/domains/practice/statistics/queries.server.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { listSessionIds } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { listDayTokens } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { formatDay, formatDayLong, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LiveQueue } from "#app/realtime/live-queue.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Beat } from "#app/ui/logo.tsx";
import { Disc, Note, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { TwoColumns } from "#app/ui/staff/two-columns.tsx";
import { submitVisitPress } from "../agenda/press.server.ts";
import { PressAnswer } from "../agenda/press-answer.tsx";
import type { Route } from "./+types/dashboard.ts";

export const loader = loadOwn(async (ctx) => {
  // If a part is unavailable, the rest of the page is shown.
  const part = <T,>(name: string, work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      noteFault(error, name);
      return null;
    });
  const [name, stats, today, waiting, steps, banner, slotsUntil, queues] = await Promise.all([
    getDoctorName(ctx),
    part("statistics", getDoctorStats(ctx, "6m")),
    part("today", readToday(ctx)),
    part("waiting", listWaiting(ctx)),
    part("next steps", getNextSteps(ctx)),
    part("announcement", findBanner(ctx)),
    findLastSlotDate(ctx, ctx.actor.userId),
    listSessionIds(ctx, { doctorIds: [ctx.actor.userId] }, todayInIndia(ctx.now)),
  ]);
  // Spec 000 §8: without figures the dashboard shows zeros, and a note that they are unknown.
  const { totalEarnings = 0, monthlyEarnings = 0, uniquePatients = 0, completionRate = null } = stats ?? {};
  return {
    name,
    figures: { totalEarnings, monthlyEarnings, uniquePatients, completionRate },
    known: stats !== null,
    today,
    waiting,
    steps,
    ...(banner && { banner }),
    slotsUntil,
    queues,
    // The first practice has the doctor's id.
    practice: ctx.actor.userId,
    date: todayInIndia(ctx.now),
    time: timeInIndia(ctx.now),
  };
});

/** Returns the doctor's day, and where its patients are. */
async function readToday(ctx: Ctx<Actor>) {
  const rows = await listDay(ctx, { doctorIds: [ctx.actor.userId], reasons: true }, todayInIndia(ctx.now));
  const tokens = await listDayTokens(ctx, rows);
  return {
    // The page shows no phone.
    rows: rows.map(({ patientPhone: _, ...row }) => row),
    tokens,
    ...countDay(rows, tokens, ctx.now),
  };
}

export const action = ({ context, request, url }: Route.ActionArgs) => submitVisitPress(actorCtxOf(context), { request, url });

type Data = Route.ComponentProps["loaderData"];

export default function DoctorDashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { name, figures, known, today, waiting, steps, banner, slotsUntil, queues, practice, date, time } = loaderData;
  return (
    <Page wide title={<span className="text-ink-soft max-desktop:hidden">{formatDayLong(date)}</span>} titleAs="p">
      <h1>{greeting(time, name)}</h1>
      <p className="text-ink-soft desktop:hidden">{formatDayLong(date)}</p>
      <AnnouncementBanner banner={banner} className="mt-2" />
      <LiveQueue sessionIds={queues} visits />
      <PressAnswer answer={actionData} />
      {!known && (
        <Note tone="bad" role="alert" className="mt-2">
          {m.statistics_failed()}
        </Note>
      )}
      <Figures figures={figures} known={known} today={today} />
      <AskFirst from={href("/doctor-dashboard")}>
        <TwoColumns className="mt-7">
          <Today today={today} time={time} date={date} />
          <div>
            <Waiting rows={waiting ?? []} count={steps?.waiting ?? waiting?.length ?? 0} date={date} />
            {steps && <NextStepsCard steps={{ ...steps, waiting: 0 }} practice={practice} />}
            <section className="card mt-7" aria-labelledby="h-times">
              <h2 id="h-times">{m.appointments_your_times()}</h2>
              <p className="text-sm text-ink-soft">
                {slotsUntil ? m.appointments_times_until({ day: formatDay(slotsUntil) }) : m.appointments_times_none()}
              </p>
              {!slotsUntil && (
                <LinkButton
                  to={href("/doctor/practices/:id/hours", { id: practice })}
                  variant={today?.rows.length ? "second" : undefined}
                  size="sm"
                  full
                  icon="clock"
                  className="mt-2"
                >
                  {m.practices_set_hours()}
                </LinkButton>
              )}
              <LinkButton to={href("/doctor/availability/add")} variant="second" size="sm" full icon="calendar-plus" className="mt-2">
                {m.availability_add()}
              </LinkButton>
            </section>
          </div>
        </TwoColumns>
      </AskFirst>
    </Page>
  );
}

const Figures = ({ figures, known, today }: Pick<Data, "figures" | "known" | "today">) => (
  <StatList className="mt-4">
    <StatTile
      icon="indian-rupee"
      label={m.statistics_total_earnings()}
      value={formatRupees(figures.totalEarnings)}
      hint={m.statistics_this_month({ amount: formatRupees(figures.monthlyEarnings) })}
    />
    <StatTile icon="users" label={m.statistics_patients()} value={figures.uniquePatients} hint={m.statistics_patients_hint()} />
    <StatTile
      icon="calendar-days"
      label={m.appointments_stat_today()}
      value={today?.rows.length ?? 0}
      hint={m.appointments_stat_today_hint({ seen: today?.seen ?? 0, left: today?.left ?? 0 })}
    />
    <StatTile
      icon="circle-check"
      label={m.statistics_completion_rate()}
      value={figures.completionRate === null ? (known ? "–" : "0%") : m.statistics_percent({ percent: figures.completionRate })}
      hint={m.appointments_stat_rate_hint()}
    />
  </StatList>
);

function greeting(time: string, name: string): string {
  const words = time < "12:00" ? m.appointments_good_morning : time < "17:00" ? m.appointments_good_afternoon : m.appointments_good_evening;
  return words({ name });
}

/** Not a patient who left, was skipped or did not come. */
const WAITS: readonly DayState[] = ["accepted", "here", "called"];

type TodayData = Route.ComponentProps["loaderData"]["today"];
type TodayRow = NonNullable<TodayData>["rows"][number];
function Today({ today, time, date }: { today: TodayData; time: string; date: string }) {
  const rows = today?.rows;
  // The current patient: the one who is inside, otherwise the last accepted visit that has started and waits for the doctor.
  const stateOf = (a: TodayRow) => dayStateOf(a, today?.tokens[a.id]);
  const current =
    rows?.find((a) => stateOf(a) === "with-doctor") ??
    rows?.findLast((a) => a.status === "accepted" && a.time <= time && WAITS.includes(stateOf(a)));
  return (
    <section className="card" aria-labelledby="h-today">
      <SectionHead>
        <h2 id="h-today">{m.appointments_today_list()}</h2>
        <Link to={href("/doctor/appointments")}>{m.appointments_see_all()}</Link>
      </SectionHead>
      {!rows ? (
        <Note tone="bad">{m.appointments_load_failed()}</Note>
      ) : rows.length === 0 ? (
        <p className="text-ink-soft">{m.appointments_today_none()}</p>
      ) : (
        <>
          <ol className="@container">
            {rows.map((a) => (
              <TodayLine key={a.id} appointment={a} token={today?.tokens[a.id]} date={date} now={a.id === current?.id} />
            ))}
          </ol>
          <LinkButton to={href("/doctor/appointments/day/:date", { date })} variant="quiet" size="sm" icon="file-text" className="pl-0">
            {m.appointments_day_sheet()}
          </LinkButton>
        </>
      )}
    </section>
  );
}

const takeAt = (visitId: string) => href("/doctor/patient/:visitId/payment", { visitId });

type LineProps = { appointment: TodayRow; token: DayToken | undefined; date: string; now: boolean };
function TodayLine({ appointment, token, date, now }: LineProps) {
  const a = { ...appointment, due: appointment.payment.due };
  const done = dayStateOf(a, token) === "done";
  const who = `${bookedPatientWord(a)} · ${a.reason || m.appointments_not_specified()}`;
  return (
    <li
      data-state={now ? "now" : done ? "done" : undefined}
      className={classes(
        "grid gap-x-3 border-line max-tab:grid-cols-[4.75rem_minmax(0,1fr)_auto] max-tab:items-start tab:grid-cols-[6rem_1fr_auto] tab:items-center tab:gap-x-4",
        "tall:grid-cols-[8.5rem_minmax(0,1fr)_auto] tall:max-[30rem]:grid-cols-[5.5rem_minmax(0,1fr)_auto] @max-[13rem]:block",
        now ? "relative -mx-4 overflow-hidden rounded-md bg-brand-soft p-4" : "py-3 not-last:border-b",
        done && "text-ink-soft",
      )}
    >
      {now && <Beat className="col-span-full -mx-4 -mt-3 mb-1 [--x:1rem]" />}
      <time
        className={classes("self-baseline tall:max-[30rem]:leading-[1.5] tall:max-[30rem]:whitespace-normal", !done && "font-bold")}
        dateTime={a.time}
      >
        {visitTimeWord(a)}
      </time>
      <p className="self-baseline">
        <Link
          className={classes("inline-flex min-h-target-min min-w-target-min items-center", done && "text-ink-soft")}
          to={href("/doctor/patient/:id", { id: a.id })}
        >
          {now ? <b>{a.patientName}</b> : a.patientName}
        </Link>
        <br />
        <span className="text-sm text-ink-soft">{who}</span>
      </p>
      <div
        className={classes(
          "flex flex-wrap items-center gap-2 tab:max-w-60 tab:justify-end @max-[13rem]:mt-1",
          done
            ? // The check of a finished visit shares its line, unless Undo is beside it.
              "max-tab:has-[.btn]:col-[2/-1] max-tab:has-[.btn]:mt-1 max-tab:has-[.btn]:justify-self-start max-tab:[&>.badge]:min-h-0 max-tab:[&>.badge]:gap-0 max-tab:[&>.badge]:p-1.5 max-tab:[&>.badge]:text-[0px]"
            : "max-tab:col-[2/-1] max-tab:mt-1 max-tab:justify-self-start",
        )}
      >
        <DayBadge row={a} token={token} />
        <DayStep row={a} token={token} by="doctor" today={date} takeAt={takeAt} {...(now && { main: "row" as const })} />
        <ActionButton appointment={a} action="undo-complete" variant="quiet" bare />
      </div>
    </li>
  );
}

function Waiting({ rows, count, date }: { rows: WaitingVisit[]; count: number; date: string }) {
  return (
    <section className="card mt-7" aria-labelledby="h-wait">
      <h2 id="h-wait">{m.appointments_waiting()}</h2>
      <p className="text-sm text-ink-soft mb-3">{m.appointments_waiting_count({ count })}</p>
      <ul className="space-y-4">
        {rows.map((a) => (
          <li key={a.id} className="row">
            <Disc id={a.id} name={a.patientName} size="sm" />
            <p className="grow">
              <Link to={href("/doctor/patient/:id", { id: a.id })}>{a.patientName}</Link>
              <br />
              <span className="text-sm text-ink-soft">
                {dayWord(a.date, date)}, {visitTimeWord(a)}
              </span>
            </p>
            <ActionButton appointment={a} action="accept" variant="second" bare />
          </li>
        ))}
      </ul>
      {count > rows.length && (
        <p className="mt-2 alone">
          <Link to={href("/doctor/appointments")}>{m.appointments_see_all_waiting({ count })}</Link>
        </p>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_day_title() }) }];
