import { data, href } from "react-router";
import { EarlierYears } from "#app/domains/clinic/imports/components/earlier-years.tsx";
import { listEarlierYears } from "#app/domains/clinic/imports/earlier-years.server.ts";
import { getMoneyFigures } from "#app/domains/money/takings/figures.server.ts";
import type { MoneyFigures } from "#app/domains/money/takings/takings.ts";
import { EarningsChart } from "#app/domains/practice/statistics/components/earnings-chart.tsx";
import { type DoctorStats, isStatsRange, STATS_RANGES, type StatsRange } from "#app/domains/practice/statistics/figures.ts";
import { getDoctorStats } from "#app/domains/practice/statistics/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { addToMonth, formatDate, formatMonth, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/stats.ts";

const VIEWS = ["overview", "figures"] as const;
type View = (typeof VIEWS)[number];

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const query = new URL(request.url).searchParams;
  const asked = query.get("range");
  const range: StatsRange = isStatsRange(asked) ? asked : "6m";
  const view: View = VIEWS.find((v) => v === query.get("view")) ?? "overview";
  const all = view === "figures";
  const [stats, money, years] = await Promise.all([
    getDoctorStats(ctx, range),
    all ? getMoneyFigures(ctx) : null,
    all ? listEarlierYears(ctx, { doctorId: ctx.actor.userId }) : [],
  ]).catch((error: unknown) => {
    noteFault(error, "statistics");
    return [null, null, []] as const;
  });
  return data({ range, view, stats, money, years: [...years], month: monthOf(todayInIndia(ctx.now)) }, { status: stats ? 200 : 503 });
});

const RANGE_WORDS: Record<StatsRange, () => string> = {
  "6m": () => m.statistics_range_6m(),
  "12m": () => m.statistics_range_12m(),
  year: () => m.statistics_range_year(),
  all: () => m.statistics_range_all(),
};
const VIEW_WORDS: Record<View, () => string> = {
  overview: () => m.statistics_view_overview(),
  figures: () => m.statistics_view_figures(),
};

export default function Stats({ loaderData }: Route.ComponentProps) {
  const { range, view, stats, money, years, month } = loaderData;
  const address = (change: { range?: StatsRange; view?: View }) =>
    `${href("/doctor/stats")}?${new URLSearchParams({ range: change.range ?? range, ...((change.view ?? view) === "figures" && { view: "figures" }) })}`;
  const refresh = (
    <LinkButton to={address({})} replace preventScrollReset variant="second" size="sm" icon="refresh-cw">
      {m.statistics_refresh()}
    </LinkButton>
  );
  return (
    <Page wide title={m.statistics_title()}>
      <div className="row flex-wrap justify-between">
        <Tabs
          label={m.statistics_views()}
          tabs={VIEWS.map((v) => ({ to: address({ view: v }), label: VIEW_WORDS[v](), current: v === view }))}
        />
        {refresh}
      </div>
      {!stats ? (
        <Note tone="bad" role="alert" className="mt-7">
          <h2>{m.statistics_failed()}</h2>
          <p>{m.statistics_failed_text()}</p>
        </Note>
      ) : view === "figures" ? (
        <>
          <AllFigures stats={stats} money={money} />
          <EarlierYears years={years} />
        </>
      ) : (
        <>
          <Cards stats={stats} month={month} />
          <section className="mt-7" aria-labelledby="h-chart">
            <div className="row flex-wrap justify-between mb-3">
              <h2 id="h-chart">{m.statistics_chart()}</h2>
              {stats.monthlyTrend.length > 0 && (
                <LinkButton to={`${href("/doctor/stats.csv")}?range=${range}`} download variant="second" size="sm" icon="download">
                  {m.statistics_csv()}
                </LinkButton>
              )}
            </div>
            <Chips
              label={m.statistics_range()}
              chips={STATS_RANGES.map((r) => ({ to: address({ range: r }), label: RANGE_WORDS[r](), current: r === range }))}
            />
            <div className="mt-2">
              {stats.monthlyTrend.length > 0 ? (
                <EarningsChart trend={stats.monthlyTrend} />
              ) : (
                <EmptyState drawing="records" title={m.statistics_no_trend()} action={refresh} />
              )}
            </div>
          </section>
        </>
      )}
    </Page>
  );
}

const percentOr = (rate: number | null, none = "–") => (rate === null ? none : m.statistics_percent({ percent: rate }));
const changeOr = (rate: number | null, none = "–") =>
  rate === null
    ? none
    : rate > 0
      ? m.statistics_up({ percent: rate })
      : rate < 0
        ? m.statistics_down({ percent: -rate })
        : m.statistics_percent({ percent: 0 });

function Cards({ stats: s, month }: { stats: DoctorStats; month: string }) {
  const before = formatMonth(addToMonth(month, -1));
  const closed = s.completedAppointments + s.cancelledAppointments;
  return (
    <StatList className="mt-4">
      <StatTile
        icon="indian-rupee"
        label={m.statistics_total_earnings()}
        value={formatRupees(s.totalEarnings)}
        hint={m.statistics_this_month({ amount: formatRupees(s.monthlyEarnings) })}
      />
      <StatTile
        icon="chart-column"
        label={m.statistics_growth()}
        value={changeOr(s.monthlyGrowth)}
        hint={
          s.monthlyGrowth === null ? m.statistics_growth_none({ before }) : m.statistics_growth_hint({ month: formatMonth(month), before })
        }
      />
      <StatTile
        icon="users"
        label={m.statistics_patients()}
        value={s.uniquePatients}
        hint={
          s.avgEarningsPerPatient === null
            ? m.statistics_patients_hint()
            : m.statistics_average({ amount: formatRupees(Math.round(s.avgEarningsPerPatient / 100) * 100) })
        }
      />
      <StatTile
        icon="circle-check"
        label={m.statistics_completion_rate()}
        value={percentOr(s.completionRate)}
        hint={closed === 0 ? m.statistics_completion_none() : m.statistics_completion_hint({ completed: s.completedAppointments, closed })}
      />
    </StatList>
  );
}

/** All figures of spec 000 §3, "Doctor stats". */
function AllFigures({ stats: s, money }: { stats: DoctorStats; money: MoneyFigures | null }) {
  return (
    <>
      <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4 mt-4">
        {sectionsOf(s).map(({ title, items }) => (
          <section key={title} className="card">
            <h2 className="mb-3">{title}</h2>
            <Amounts items={items} />
          </section>
        ))}
        <RecordedMoney money={money} />
      </div>
      <details className="mt-4">
        <summary>{m.statistics_meaning()}</summary>
        <p>{m.statistics_meaning_text()}</p>
      </details>
    </>
  );
}

const sectionsOf = (s: DoctorStats): { title: string; items: [string, string | number][] }[] => [
  {
    title: m.statistics_section_today(),
    items: [
      [m.statistics_today_appointments(), s.todayAppointments],
      [m.statistics_today_earnings(), formatRupees(s.todayEarnings)],
      [m.statistics_weekly_earnings(), formatRupees(s.weeklyEarnings)],
    ],
  },
  {
    title: m.statistics_section_month(),
    items: [
      [m.statistics_monthly_appointments(), s.monthlyAppointments],
      [m.statistics_monthly_completed(), s.monthlyCompletedAppointments],
      [m.statistics_monthly_cancelled(), s.monthlyCancelledAppointments],
      [m.statistics_monthly_earnings(), formatRupees(s.monthlyEarnings)],
      [m.statistics_monthly_growth(), changeOr(s.monthlyGrowth)],
      [m.statistics_appointment_growth(), changeOr(s.appointmentGrowth)],
    ],
  },
  {
    title: m.statistics_section_year(),
    items: [
      [m.statistics_monthly_appointments(), s.yearlyAppointments],
      [m.statistics_monthly_earnings(), formatRupees(s.yearlyEarnings)],
    ],
  },
  {
    title: m.statistics_section_all(),
    items: [
      [m.statistics_total_earnings(), formatRupees(s.totalEarnings)],
      [m.statistics_patients(), s.uniquePatients],
      [m.statistics_per_patient(), s.avgEarningsPerPatient === null ? m.statistics_none() : formatRupees(s.avgEarningsPerPatient)],
      [m.statistics_completion_rate(), percentOr(s.completionRate, m.statistics_none())],
      [m.statistics_completed(), s.completedAppointments],
      [m.statistics_cancelled(), s.cancelledAppointments],
      [m.statistics_missed(), s.missedAppointments],
      [m.statistics_pending(), s.pendingAppointments],
      [m.statistics_accepted(), s.acceptedAppointments],
      [m.statistics_fee(), s.consultationFee === null ? m.statistics_fee_none() : formatRupees(s.consultationFee)],
    ],
  },
];

/** What the ledger says, beside the earnings (docs/figures.md). */
function RecordedMoney({ money }: { money: MoneyFigures | null }) {
  return (
    <section className="card">
      <h2 className="mb-3">{m.money_figures()}</h2>
      {money ? (
        <>
          <Amounts
            items={[
              [m.money_figures_month(), formatRupees(money.monthReceived)],
              [m.money_figures_month_refunded(), formatRupees(money.monthRefunded)],
              [m.money_figures_all(), formatRupees(money.received)],
              [m.money_figures_all_refunded(), formatRupees(money.refunded)],
              money.notReturned > 0 && [m.money_not_returned_figure(), formatRupees(money.notReturned)],
              [m.money_figures_owed(), formatRupees(money.owed)],
            ]}
          />
          <p className="text-sm text-ink-soft mt-2">{m.money_figures_since({ date: formatDate(money.since) })}</p>
        </>
      ) : (
        <p className="text-ink-soft">{m.money_figures_none()}</p>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.statistics_title() }) }];
