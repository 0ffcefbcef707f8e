import { AppointmentCard } from "#app/domains/appointments/components/appointment-card.tsx";
import { type AppointmentTab, listDoctorAppointments } from "#app/domains/appointments/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Tabs } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pagination } from "#app/ui/states.tsx";
import type { Route } from "./+types/appointments.ts";

const TAB_NAMES = ["upcoming", "completed", "cancelled"] as const satisfies readonly AppointmentTab[];

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const query = new URL(request.url).searchParams;
  const tab = TAB_NAMES.find((t) => t === query.get("tab")) ?? "upcoming";
  const page = Math.min(10_000, Math.max(1, Math.floor(Number(query.get("page")) || 1)));
  return { tab, page, today: todayInIndia(ctx.now), ...(await listDoctorAppointments(ctx, { tab, page })) };
});

const TAB_WORDS: Record<AppointmentTab, () => string> = {
  upcoming: () => m.appointments_tab_upcoming(),
  completed: () => m.appointments_status_completed(),
  cancelled: () => m.appointments_status_cancelled(),
};

export default function DoctorAppointments({ loaderData }: Route.ComponentProps) {
  const { tab, page, today, rows, unanswered, counts, hasMore } = loaderData;
  const address = (change: { tab?: string; page?: number }) =>
    `/doctor/appointments?tab=${change.tab ?? tab}${change.page && change.page > 1 ? `&page=${change.page}` : ""}`;
  return (
    <Page wide title={m.appointments_doctor_title()}>
      <Tabs
        label={m.appointments_by_status()}
        tabs={TAB_NAMES.map((t) => ({ to: address({ tab: t }), label: TAB_WORDS[t](), count: counts[t], current: t === tab }))}
      />
      {unanswered.length > 0 && (
        <section className="section tight" aria-labelledby="h-open">
          <h2 id="h-open">{m.appointments_unclosed()}</h2>
          <p className="soft small mb">{m.appointments_unclosed_text()}</p>
          <div className="grid2">
            {unanswered.map((a) => (
              <AppointmentCard key={a.id} appointment={a} today={today} />
            ))}
          </div>
        </section>
      )}
      {rows.length > 0 ? (
        <div className="grid2 section tight">
          {rows.map((a, i) => (
            <AppointmentCard key={a.id} appointment={a} today={today} next={tab === "upcoming" && page === 1 && i === 0} />
          ))}
        </div>
      ) : (
        <div className="section tight">
          <EmptyState drawing="time" title={tab === "upcoming" ? m.appointments_none_upcoming() : m.appointments_none_in({ tab })}>
            {tab === "upcoming" ? m.appointments_none_upcoming_text() : null}
          </EmptyState>
        </div>
      )}
      {(page > 1 || hasMore) && (
        <Pagination
          label={m.ui_pages()}
          previous={page > 1 ? { to: address({ page: page - 1 }), label: m.ui_previous() } : null}
          next={hasMore ? { to: address({ page: page + 1 }), label: m.ui_next() } : null}
        />
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_doctor_title() }) }];
