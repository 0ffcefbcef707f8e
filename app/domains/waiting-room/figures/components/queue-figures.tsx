import { formatDayShort } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { DataTable, Scroll } from "#app/ui/staff/table.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { FIGURE_DAYS, type FigureDays, noShowRate, ON_TIME_MINUTES, type QueueFigures, type QueueReport } from "../figures.ts";
import { WaitBars } from "./wait-bars.tsx";

const minutesOr = (value: number | null) => (value === null ? m.figures_nothing() : m.figures_minutes({ minutes: value }));
const percentOr = (value: number | null) => (value === null ? m.figures_nothing() : m.figures_percent({ percent: value }));

type Props = {
  report: QueueReport;
  days: FigureDays;
  path: string;
  csv: string;
};

/** Figures of queues: tiles, a chart by week, tables, and whether the ranges were right. */
export function QueueFiguresView({ report, days, path, csv }: Props) {
  const { all, weeks, doctors } = report;
  return (
    <>
      <p className="mb-3">{m.figures_intro()}</p>
      <Chips
        label={m.figures_days()}
        chips={FIGURE_DAYS.map((one) => ({ to: `${path}?days=${one}`, label: m.figures_last({ days: one }), current: one === days }))}
      />
      {all.sessions === 0 ? (
        <EmptyState drawing="records" title={m.figures_none()}>
          {m.figures_none_text()}
        </EmptyState>
      ) : (
        <>
          <Tiles all={all} />
          <section className="mt-7" aria-labelledby="h-chart">
            <div className="row flex-wrap justify-between mb-3">
              <h2 id="h-chart">{m.figures_chart()}</h2>
              <LinkButton to={`${csv}?days=${days}`} download variant="second" size="sm" icon="download">
                {m.figures_csv()}
              </LinkButton>
            </div>
            <Chart weeks={weeks} />
          </section>
          {doctors.length > 1 && (
            <section className="mt-7" aria-labelledby="h-doctors">
              <h2 id="h-doctors" className="mb-3">
                {m.figures_by_doctor()}
              </h2>
              <Table
                label={m.figures_by_doctor()}
                head={m.figures_doctor()}
                rows={doctors.map((one) => ({ key: one.doctorId, name: one.doctorName, figures: one }))}
              />
            </section>
          )}
          <section className="card mt-7" aria-labelledby="h-accuracy">
            <h2 id="h-accuracy">{m.figures_accuracy()}</h2>
            <p className="mt-2">
              {all.estimated > 0
                ? m.figures_accuracy_line({ count: all.estimated, low: all.byLow ?? 0, high: all.byHigh ?? 0 })
                : m.figures_accuracy_none()}
            </p>
            <p className="text-sm text-ink-soft mt-2">{m.figures_accuracy_text()}</p>
          </section>
          <details className="mt-4">
            <summary>{m.figures_meaning()}</summary>
            <p>{m.figures_meaning_text()}</p>
          </details>
        </>
      )}
    </>
  );
}

function Tiles({ all }: { all: QueueFigures }) {
  return (
    <StatList className="mt-4">
      <StatTile
        icon="hourglass"
        label={m.figures_tile_wait()}
        value={minutesOr(all.wait)}
        hint={[
          all.wait !== null && m.figures_tile_wait_hint({ minutes: all.longWait ?? 0 }),
          all.unseen > 0 && m.figures_unseen({ count: all.unseen, minutes: minutesOr(all.unseenWait) }),
        ]
          .filter(Boolean)
          .join(" ")}
      />
      <StatTile
        icon="stethoscope"
        label={m.figures_tile_consultation()}
        value={minutesOr(all.consultation)}
        hint={(all.late ?? 0) > 0 ? m.figures_tile_consultation_hint({ minutes: all.late ?? 0 }) : m.figures_tile_early_hint()}
      />
      <StatTile
        icon="clock"
        label={m.figures_tile_on_time()}
        value={percentOr(all.onTime)}
        hint={m.figures_tile_on_time_hint({ minutes: ON_TIME_MINUTES })}
      />
      <StatTile
        icon="calendar-x"
        label={m.figures_tile_missed()}
        value={percentOr(noShowRate(all))}
        hint={m.figures_tile_missed_hint({ count: all.noShows, booked: all.booked, left: all.left })}
      />
    </StatList>
  );
}

function Chart({ weeks }: Pick<QueueReport, "weeks">) {
  const waits = weeks.flatMap(({ wait }) => (wait === null ? [] : [wait]));
  const label = m.figures_chart_label({
    count: weeks.length,
    least: waits.length ? Math.min(...waits) : 0,
    most: waits.length ? Math.max(...waits) : 0,
  });
  return (
    <figure className="card">
      <figcaption className="text-sm text-ink-soft">{m.figures_chart_unit()}</figcaption>
      <Scroll className="[direction:rtl] *:[direction:ltr] *:me-auto" label={m.figures_chart()}>
        <div className="[direction:ltr] flex h-60 mt-2" style={{ minWidth: `${2.5 + weeks.length * 4}rem` }} role="img" aria-label={label}>
          <WaitBars weeks={weeks} />
        </div>
      </Scroll>
      <details>
        <summary>{m.figures_as_table()}</summary>
        <Table
          label={m.figures_as_table()}
          head={m.figures_week()}
          rows={weeks.toReversed().map((one) => ({ key: one.week, name: formatDayShort(one.week), figures: one }))}
        />
      </details>
    </figure>
  );
}

function Table({ label, head, rows }: { label: string; head: string; rows: { key: string; name: string; figures: QueueFigures }[] }) {
  const columns: [string, (one: QueueFigures) => number | null][] = [
    [m.figures_sessions(), (one) => one.sessions],
    [m.figures_patients(), (one) => one.patients],
    [m.figures_wait(), (one) => one.wait],
    [m.figures_consultation(), (one) => one.consultation],
    [m.figures_late(), (one) => one.late],
    [m.figures_on_time(), (one) => one.onTime],
    [m.figures_no_shows(), (one) => one.noShows],
    [m.figures_unseen_count(), (one) => one.unseen],
  ];
  return (
    <Scroll label={label}>
      <DataTable>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {columns.map(([name]) => (
              <th key={name} scope="col" className="text-right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, figures }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {columns.map(([column, of]) => (
                <td key={column} className="num text-right">
                  {of(figures) ?? m.figures_nothing()}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </DataTable>
    </Scroll>
  );
}
