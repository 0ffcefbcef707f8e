import { href } from "react-router";
import { BookingBars } from "#app/domains/oversight/figures/components/booking-bars.tsx";
import { type Figures, WEEK_RANGES, type WeekFigures, type WeekRange, weekRangeOf } from "#app/domains/oversight/figures/figures.ts";
import { getPlatformFigures, listDoctorsWithoutTimes } from "#app/domains/oversight/figures/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDayOfMonth } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { RowsTable, Scroll } from "#app/ui/staff/table.tsx";
import type { Route } from "./+types/figures.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const range = weekRangeOf(new URL(request.url).searchParams.get("weeks"));
  const [figures, without] = await Promise.all([getPlatformFigures(ctx, range), listDoctorsWithoutTimes(ctx)]);
  return { range, ...figures, without };
});

const address = (range: WeekRange, path = href("/admin/figures")) => `${path}?weeks=${range}`;
const cancelledOf = (f: Figures) => f.cancelledByPatient + f.cancelledByDoctor + f.cancelledByOthers;

/** Minutes as text; as hours from two hours on. */
const durationOr = (minutes: number | null) =>
  minutes === null
    ? m.figures_nothing()
    : minutes < 120
      ? m.figures_minutes({ minutes })
      : m.figures_admin_hours({ hours: Math.round(minutes / 6) / 10 });

export default function PlatformFigures({ loaderData }: Route.ComponentProps) {
  const { range, weeks, total, without } = loaderData;
  return (
    <Page wide title={m.figures_admin_title()}>
      <Chips
        label={m.figures_days()}
        chips={WEEK_RANGES.map((one) => ({ to: address(one), label: m.figures_admin_last({ weeks: one }), current: one === range }))}
      />
      <Tiles total={total} without={without.total} />
      <section className="mt-7" aria-labelledby="h-weeks">
        <div className="row flex-wrap justify-between mb-3">
          <h2 id="h-weeks">{m.figures_admin_weeks()}</h2>
          <LinkButton to={address(range, href("/admin/figures.csv"))} download variant="second" size="sm" icon="download">
            {m.figures_csv()}
          </LinkButton>
        </div>
        <Chart weeks={weeks} total={total} />
        <Table weeks={weeks} total={total} />
      </section>
      <section className="card mt-7" aria-labelledby="h-without">
        <h2 id="h-without">{m.figures_admin_without()}</h2>
        <p className="text-sm text-ink-soft">{without.total > 0 ? m.figures_admin_without_text() : m.figures_admin_without_none()}</p>
        {without.rows.length > 0 && (
          <DividedList>
            {without.rows.map(({ id, name }) => (
              <li key={id}>
                <AnyLink to={href("/admin/doctors/:id", { id })}>{name || m.cases_unnamed()}</AnyLink>
              </li>
            ))}
          </DividedList>
        )}
        {without.total > without.rows.length && (
          <p className="text-sm text-ink-soft mt-2">{m.figures_admin_without_more({ shown: without.rows.length, total: without.total })}</p>
        )}
      </section>
      <details className="mt-4">
        <summary>{m.figures_meaning()}</summary>
        <p>{m.figures_admin_meaning()}</p>
      </details>
    </Page>
  );
}

function Tiles({ total, without }: { total: Figures; without: number }) {
  return (
    <StatList className="mt-4">
      <StatTile
        icon="calendar-days"
        label={m.figures_admin_bookings()}
        value={total.bookings}
        hint={m.figures_admin_missed_hint({ count: total.missed })}
      />
      <StatTile
        icon="clock"
        label={m.figures_admin_acceptance()}
        value={durationOr(total.acceptance)}
        hint={m.figures_admin_acceptance_hint()}
      />
      <StatTile
        icon="calendar-x"
        label={m.figures_admin_cancelled()}
        value={cancelledOf(total)}
        hint={m.figures_admin_cancelled_hint({
          patients: total.cancelledByPatient,
          doctors: total.cancelledByDoctor,
          others: total.cancelledByOthers,
        })}
      />
      <StatTile
        icon="users"
        label={m.figures_admin_patients()}
        value={total.newPatients}
        hint={m.figures_admin_doctors_hint({ count: total.newDoctors })}
      />
      <StatTile
        icon="stethoscope"
        label={m.figures_admin_without()}
        value={
          without > 0 ? (
            <a className="go text-inherit no-underline after:absolute after:inset-0 after:rounded-lg hover:underline" href="#h-without">
              {without}
            </a>
          ) : (
            without
          )
        }
        hint={m.figures_admin_without_hint()}
      />
    </StatList>
  );
}

type Both = { weeks: WeekFigures[]; total: Figures };

function Chart({ weeks, total }: Both) {
  const best = weeks.reduce((a, b) => (b.bookings > a.bookings ? b : a));
  const label = m.figures_admin_chart_label({
    weeks: weeks.length,
    count: total.bookings,
    most: best.bookings,
    week: formatDayOfMonth(best.week),
  });
  return (
    <figure className="card">
      <figcaption className="text-sm text-ink-soft">{m.figures_admin_chart_unit()}</figcaption>
      <Scroll className="[direction:rtl] *:[direction:ltr] *:me-auto" label={m.figures_admin_weeks()}>
        <div
          className="[direction:ltr] flex h-60 mt-2"
          style={{ minWidth: `${2.5 + weeks.length * 6.5}rem` }}
          role="img"
          aria-label={label}
        >
          <BookingBars weeks={weeks} />
        </div>
      </Scroll>
      <p className="text-sm text-ink-soft">{m.figures_admin_running()}</p>
    </figure>
  );
}

const COLUMNS: [() => string, (of: Figures) => string | number][] = [
  [() => m.figures_admin_bookings(), (f) => f.bookings],
  [() => m.figures_admin_acceptance(), (f) => durationOr(f.acceptance)],
  [() => m.figures_admin_by_patient(), (f) => f.cancelledByPatient],
  [() => m.figures_admin_by_doctor(), (f) => f.cancelledByDoctor],
  [() => m.figures_admin_by_others(), (f) => f.cancelledByOthers],
  [() => m.figures_no_shows(), (f) => f.missed],
  [() => m.figures_admin_patients(), (f) => f.newPatients],
  [() => m.figures_admin_doctors(), (f) => f.newDoctors],
];

function Table({ weeks, total }: Both) {
  return (
    <RowsTable
      className="mt-4"
      label={m.figures_admin_weeks()}
      caption={m.figures_admin_weeks()}
      heads={[m.figures_week(), ...COLUMNS.map(([word]) => ({ number: word() }))]}
    >
      <Row name={m.statistics_together()} figures={total} />
      {weeks.toReversed().map((one) => (
        <Row key={one.week} name={formatDayOfMonth(one.week)} figures={one} />
      ))}
    </RowsTable>
  );
}

const Row = ({ name, figures }: { name: string; figures: Figures }) => (
  <tr>
    <th scope="row">{name}</th>
    {COLUMNS.map(([word, value]) => (
      <td key={word()} data-label={word()} className="text-right cards:text-left">
        {value(figures)}
      </td>
    ))}
  </tr>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.figures_admin_title() }) }];
