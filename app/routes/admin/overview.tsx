import { href, useRouteLoaderData } from "react-router";
import { countReported } from "#app/domains/booking/reviews/queries.server.ts";
import { ageWords } from "#app/domains/credentials/cases/age.ts";
import { WAITING } from "#app/domains/credentials/cases/case-lists.ts";
import { getOverview } from "#app/domains/credentials/cases/case-queries.server.ts";
import { CaseBadge } from "#app/domains/credentials/cases/components/case-badge.tsx";
import { actorWord, eventWord, instantWords } from "#app/domains/credentials/cases/components/case-trail.tsx";
import { statusWord } from "#app/domains/credentials/cases/words.ts";
import { countWaitingChanges } from "#app/domains/credentials/profile-changes/change-queries.server.ts";
import { getRetiredModels } from "#app/domains/guidance/assistant/choose-answerer.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import type { Route } from "./+types/overview.ts";
import type { loader as frame } from "./frame.tsx";

export const loader = loadOwn(async (ctx) => {
  const [overview, changes, reported] = await Promise.all([getOverview(ctx), countWaitingChanges(ctx), countReported(ctx)]);
  return { now: ctx.now, changes, reported, models: getRetiredModels(ctx), ...overview };
});

const toStatus = (status: string) => `${href("/admin/doctors")}?status=${encodeURIComponent(status)}`;

type Data = Route.ComponentProps["loaderData"];

export default function Overview({ loaderData }: Route.ComponentProps) {
  const payments = useRouteLoaderData<typeof frame>("routes/admin/frame")?.navigation.payments;
  const { now, changes, reported, models, statuses, pendingHospitals, unreviewed, decisions } = loaderData;
  return (
    <Page wide title={m.admin_overview_title()}>
      {models.retired.length > 0 && (
        <Note tone="warn" icon="triangle-alert" className="mb-3">
          {m.admin_models_retired({ models: models.retired.join(", ") })}{" "}
          {models.answers ? m.admin_models_instead({ model: models.answers }) : m.admin_models_none()}
        </Note>
      )}
      <h2 className="mb-3">{m.admin_overview_waiting()}</h2>
      <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
        {statuses
          .filter((s) => WAITING.includes(s.status))
          .map((s) => (
            <WaitingCard key={s.status} status={s} />
          ))}
        <CountCard title={m.profile_changes_title()} to={href("/admin/changes")} count={changes} text={m.profile_changes_overview()} />
        <CountCard title={m.reviews_admin_title()} to={href("/admin/reviews")} count={reported} text={m.reviews_admin_overview()} />
        <section className="card">
          <h3>
            <AnyLink className="go" to={href("/admin/appointments")}>
              {m.admin_find_start()}
            </AnyLink>
          </h3>
          <p className="text-sm text-ink-soft">{m.admin_find_label()}</p>
        </section>
        {payments && (
          <section className="card">
            <h3>
              <AnyLink className="go" to={href("/admin/payments")}>
                {m.admin_pay_title()}
              </AnyLink>
            </h3>
            <p>
              <b className="text-2xl leading-[1.2]">{payments.stuck}</b>
            </p>
            <p className="text-sm text-ink-soft">{m.admin_pay_overview()}</p>
          </section>
        )}
      </div>
      <AllStatuses statuses={statuses} />
      <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4 mt-7">
        <PendingHospitals pending={pendingHospitals} />
        <Unreviewed unreviewed={unreviewed} now={now} />
      </div>
      <Decisions decisions={decisions} />
    </Page>
  );
}

const WaitingCard = ({ status: s }: { status: Data["statuses"][number] }) => (
  <div className="card">
    <p className="row flex-wrap">
      <CaseBadge status={s.status} />
    </p>
    <p>
      <AnyLink className="go" to={toStatus(s.status)}>
        <b className="text-2xl leading-[1.2]">{s.count}</b> <span className="sr-only">{statusWord(s.status)}</span>
      </AnyLink>
    </p>
    <p className="text-sm text-ink-soft">
      {s.oldest === null || s.median === null
        ? m.admin_none_waiting()
        : m.admin_oldest({ age: ageWords(s.oldest), median: ageWords(s.median) })}
    </p>
  </div>
);

const CountCard = ({ title, to, count, text }: { title: string; to: string; count: number; text: string }) => (
  <section className="card">
    <h3>{title}</h3>
    <p>
      <AnyLink className="go" to={to}>
        <b className="text-2xl leading-[1.2]">{count}</b> <span className="sr-only">{title}</span>
      </AnyLink>
    </p>
    <p className="text-sm text-ink-soft">{text}</p>
  </section>
);

const AllStatuses = ({ statuses }: Pick<Data, "statuses">) => (
  <section className="mt-7" aria-labelledby="h-all">
    <h2 id="h-all" className="mb-3">
      {m.admin_overview_all()}
    </h2>
    <StatList>
      {statuses
        .filter((s) => !WAITING.includes(s.status))
        .map((s) => (
          <StatTile
            key={s.status}
            label={statusWord(s.status)}
            value={
              <AnyLink
                className="go text-inherit no-underline after:absolute after:inset-0 after:rounded-lg hover:underline"
                to={toStatus(s.status)}
              >
                {s.count}
              </AnyLink>
            }
          />
        ))}
    </StatList>
  </section>
);

const PendingHospitals = ({ pending }: { pending: Data["pendingHospitals"] }) => (
  <section className="card" aria-labelledby="h-hospitals">
    <h2 id="h-hospitals">{m.admin_overview_hospitals()}</h2>
    {pending.rows.length ? (
      <DividedList>
        {pending.rows.map((h) => (
          <li key={h.id}>
            <AnyLink to={href("/admin/hospitals/:id", { id: h.id })}>{h.name}</AnyLink>
            <p className="text-sm text-ink-soft">
              {h.city}, {formatDate(todayInIndia(h.createdAt))}
              {h.waiting > 0 && `. ${m.admin_overview_cases_wait({ count: String(h.waiting) })}`}
            </p>
          </li>
        ))}
      </DividedList>
    ) : (
      <p className="text-ink-soft mt-2">{m.admin_overview_hospitals_none()}</p>
    )}
    {pending.total > pending.rows.length && (
      <p className="mt-2">
        <AnyLink to={`${href("/admin/hospitals")}?status=pending`}>{m.admin_see_all({ count: String(pending.total) })}</AnyLink>
      </p>
    )}
  </section>
);

const Unreviewed = ({ unreviewed, now }: Pick<Data, "unreviewed" | "now">) => (
  <section className="card" aria-labelledby="h-unreviewed">
    <h2 id="h-unreviewed">{m.admin_overview_unreviewed()}</h2>
    {unreviewed.rows.length ? (
      <>
        <p className="text-sm text-ink-soft">{m.admin_overview_unreviewed_text()}</p>
        <DividedList>
          {unreviewed.rows.map((d) => (
            <li key={d.id}>
              <AnyLink to={href("/admin/doctors/:id", { id: d.id })}>{d.name || m.cases_unnamed()}</AnyLink>
              <p className="text-sm text-ink-soft">
                {d.hospitalId ? (
                  <AnyLink to={href("/admin/hospitals/:id", { id: d.hospitalId })}>{d.hospitalName}</AnyLink>
                ) : (
                  m.admin_no_hospital()
                )}
                {d.submittedAt && `. ${m.cases_waiting_for({ age: ageWords(now.getTime() - d.submittedAt.getTime()) })}`}
              </p>
            </li>
          ))}
        </DividedList>
      </>
    ) : (
      <p className="text-ink-soft mt-2">{m.admin_overview_unreviewed_none()}</p>
    )}
    {unreviewed.total > unreviewed.rows.length && (
      <p className="mt-2">
        <AnyLink to={toStatus("under review by hospital")}>{m.admin_see_all({ count: String(unreviewed.total) })}</AnyLink>
      </p>
    )}
  </section>
);

const Decisions = ({ decisions }: Pick<Data, "decisions">) => (
  <section className="card mt-7" aria-labelledby="h-decisions">
    <h2 id="h-decisions">{m.admin_overview_decisions()}</h2>
    {decisions.length ? (
      <DividedList>
        {decisions.map((d) => (
          <li key={d.id}>
            <AnyLink to={href("/admin/doctors/:id", { id: d.doctorId })}>{d.doctorName || m.cases_unnamed()}</AnyLink>
            <p className="text-sm">{eventWord(d.action)}</p>
            <p className="text-sm text-ink-soft">
              {actorWord(d)}, {instantWords(d.at)}
            </p>
          </li>
        ))}
      </DividedList>
    ) : (
      <p className="text-ink-soft mt-2">{m.admin_overview_decisions_none()}</p>
    )}
  </section>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_overview_title() }) }];
