import { Link } from "react-router";
import { dayWord } from "#app/domains/appointments/components/next-appointment.tsx";
import { StatusBadge } from "#app/domains/appointments/components/status-badge.tsx";
import { type DoctorAppointment, getDoctorFigures, listToday, listWaiting } from "#app/domains/appointments/queries.server.ts";
import { genderWord } from "#app/domains/appointments/words.ts";
import { findLastSlotDate } from "#app/domains/availability/queries.server.ts";
import { getDoctorName } from "#app/domains/doctors/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { formatDay, formatDayLong, formatTime, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Beat } from "#app/ui/logo.tsx";
import { Disc, StatList, StatTile } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/dashboard.ts";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const [name, figures, today, waiting, slotsUntil] = await Promise.all([
    getDoctorName(ctx),
    getDoctorFigures(ctx),
    listToday(ctx),
    listWaiting(ctx),
    findLastSlotDate(ctx, ctx.actor.userId),
  ]);
  return { name, figures, today, waiting, slotsUntil, date: todayInIndia(ctx.now), time: timeInIndia(ctx.now) };
});

export default function DoctorDashboard({ loaderData }: Route.ComponentProps) {
  const { name, figures, today, waiting, slotsUntil, date, time } = loaderData;
  const seen = today.filter((a) => a.status === "completed").length;
  // The patient in the room now: the accepted visit whose half hour has begun and not been closed.
  const now = today.findLast((a) => a.status === "accepted" && a.time <= time)?.id;
  return (
    <Page wide title={<span className="soft only-desk">{formatDayLong(date)}</span>} titleAs="p">
      <h1>{greeting(time, name)}</h1>
      <p className="soft only-phone">{formatDayLong(date)}</p>
      <StatList className="section tight">
        <StatTile
          icon="indian-rupee"
          label={m.appointments_stat_earnings()}
          value={formatRupees(figures.earned)}
          hint={m.appointments_stat_this_month({ amount: formatRupees(figures.earnedThisMonth) })}
        />
        <StatTile icon="users" label={m.appointments_stat_patients()} value={figures.patients} hint={m.appointments_stat_patients_hint()} />
        <StatTile
          icon="calendar-days"
          label={m.appointments_stat_today()}
          value={today.length}
          hint={m.appointments_stat_today_hint({ seen, left: today.length - seen })}
        />
        <StatTile
          icon="circle-check"
          label={m.appointments_stat_rate()}
          value={figures.completionRate === null ? "–" : `${figures.completionRate}%`}
          hint={m.appointments_stat_rate_hint()}
        />
      </StatList>
      <div className="two section">
        <section className="card" aria-labelledby="h-today">
          <div className="head">
            <h2 id="h-today">{m.appointments_today_list()}</h2>
            <Link to="/doctor/appointments">{m.appointments_see_all()}</Link>
          </div>
          {today.length === 0 ? (
            <p className="soft">{m.appointments_today_none()}</p>
          ) : (
            <ol className="day">
              {today.map((a) => (
                <TodayLine key={a.id} appointment={a} now={a.id === now} />
              ))}
            </ol>
          )}
        </section>
        <div>
          <section className="card section" aria-labelledby="h-wait">
            <h2 id="h-wait">{m.appointments_waiting()}</h2>
            <p className="soft small mb">{m.appointments_waiting_count({ count: waiting.length })}</p>
            <ul className="stack">
              {waiting.map((a) => (
                <li key={a.id} className="row">
                  <Disc id={a.id} name={a.patientName} size="sm" />
                  <p className="grow">
                    <b>{a.patientName}</b>
                    <br />
                    <span className="small soft">
                      {dayWord(a.date, date)}, {formatTime(a.time)}
                    </span>
                  </p>
                  <LinkButton
                    to={`/doctor/patient/${a.id}`}
                    variant="second"
                    size="sm"
                    aria-label={m.appointments_review_of({ name: a.patientName })}
                  >
                    {m.appointments_review()}
                  </LinkButton>
                </li>
              ))}
            </ul>
          </section>
          <section className="card section" aria-labelledby="h-times">
            <h2 id="h-times">{m.appointments_your_times()}</h2>
            <p className="soft small">
              {slotsUntil ? m.appointments_times_until({ day: formatDay(slotsUntil) }) : m.appointments_times_none()}
            </p>
            <LinkButton to="/doctor/availability/add" variant="second" size="sm" full icon="calendar-plus" className="mt">
              {m.availability_add()}
            </LinkButton>
          </section>
        </div>
      </div>
    </Page>
  );
}

function greeting(time: string, name: string): string {
  const words = time < "12:00" ? m.appointments_good_morning : time < "17:00" ? m.appointments_good_afternoon : m.appointments_good_evening;
  return words({ name });
}

function TodayLine({ appointment: a, now }: { appointment: DoctorAppointment; now: boolean }) {
  const who = `${a.patientAge}, ${genderWord(a.patientGender).toLowerCase()}. ${a.reason}`;
  return (
    <li className={classes(now && "now", a.status === "completed" && "done")}>
      {now && <Beat />}
      <time dateTime={a.time}>{formatTime(a.time)}</time>
      <p>
        {now ? <b>{a.patientName}</b> : <Link to={`/doctor/patient/${a.id}`}>{a.patientName}</Link>}
        <br />
        <span className="small soft">{who}</span>
      </p>
      {now ? (
        <LinkButton to={`/doctor/patient/${a.id}`} size="sm" className="extra">
          {m.appointments_open_papers()}
        </LinkButton>
      ) : (
        <StatusBadge status={a.status} className="extra" />
      )}
    </li>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_day_title() }) }];
