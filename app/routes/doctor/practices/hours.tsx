import { href } from "react-router";
import { WEEK } from "#app/domains/clinic/practices/components/hours-list.tsx";
import { LeaveRow } from "#app/domains/clinic/practices/components/leave-row.tsx";
import { changedDayWord, WeeklyHoursForm } from "#app/domains/clinic/practices/components/weekly-hours-form.tsx";
import { SPANS, type Span, type TypedSpan } from "#app/domains/clinic/practices/hours.ts";
import { listLeaves } from "#app/domains/clinic/practices/leave.server.ts";
import { HoursSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { getPractice, listChangedDays } from "#app/domains/clinic/practices/queries.server.ts";
import { setHours } from "#app/domains/clinic/practices/set-hours.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { useCheckedForm } from "#app/ui/checked-form.ts";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hours.ts";

export const handle = { bar: false };

/** Returns three spans for each weekday, Sunday first. */
const asFields = (hours: Span[]): TypedSpan[] =>
  Array.from({ length: 7 * SPANS }, (_, n) => {
    const own = hours.filter(({ weekday }) => weekday === Math.floor(n / SPANS));
    const span = own[n % SPANS];
    return { from: span?.from ?? "", until: span?.until ?? "" };
  });

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { id, place, hours, slotMinutes, mode, isFirst } = await getPractice(ctx, params.id);
  const leaves = (await listLeaves(ctx)).filter(({ practiceId }) => practiceId === null || practiceId === id);
  const open = [...new Set(hours.map(({ weekday }) => weekday))];
  return {
    ...{ id, place, minutes: mode === "slots" ? slotMinutes : null },
    ...{ hours: asFields(hours), open: open.length ? open : WEEK.slice(0, 1) },
    ...{ days: await listChangedDays(ctx, id), leaves },
    /** The pages of a single day have the half hours of the first practice. */
    byHalfHours: isFirst && mode === "slots" && slotMinutes === 30,
  };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, HoursSchema, async (input, _form, again) => {
    if (input.intent === "copy") return again(input);
    await setHours(actorCtxOf(context), { id: params.id, spans: input.spans });
    return redirectWithToast(href("/doctor/practices"), input.spans.length ? m.practices_hours_saved() : m.practices_hours_removed());
  });
}

type Copied = { hours: TypedSpan[]; open: number[] };

/** Weekly hours of a practice, the days that differ, and leave. */
export default function PracticeHours({ loaderData, actionData }: Route.ComponentProps) {
  const { place } = loaderData;
  const copied = (actionData?.detail as unknown as Copied | undefined) ?? null;
  return (
    <Page
      wide
      title={
        <>
          {m.practices_hours_title()} <span className="text-ink-soft max-desktop:hidden">{place ?? m.practices_no_place()}</span>
        </>
      }
      back={{ to: href("/doctor/practices"), label: m.practices_title() }}
    >
      <p className="mb-3 desktop:hidden">
        <b>{place ?? m.practices_no_place()}</b>
      </p>
      <Chips
        label={m.practices_hours_title()}
        chips={[
          { to: "#weekly", label: m.practices_weekly(), current: false },
          { to: "#days", label: m.practices_single_days(), current: false },
          { to: "#leave", label: m.practices_leave(), current: false },
        ]}
      />
      <div className="grid gap-4 *:min-w-0 panel:grid-cols-[minmax(0,1fr)_20rem] panel:items-start">
        {/* Copied times fill the form again. */}
        <Weekly key={copied ? JSON.stringify(copied) : "stored"} data={loaderData} answer={actionData} copied={copied} />
        <div className="grid gap-4">
          <SingleDays data={loaderData} />
          <Leaves data={loaderData} />
        </div>
      </div>
    </Page>
  );
}

type Data = Route.ComponentProps["loaderData"];
type WeeklyProps = { data: Data; answer: Route.ComponentProps["actionData"]; copied: Copied | null };

function Weekly({ data, answer, copied }: WeeklyProps) {
  const typed = answer?.result.initialValue?.open;
  const refused = typed === undefined ? null : [typed].flat().map(Number);
  const [form, fields] = useCheckedForm<{ hours: TypedSpan[] }>({
    id: "hours",
    lastResult: copied ? undefined : answer?.result,
    defaultValue: { hours: copied?.hours ?? data.hours },
  });
  return (
    <section className="card" id="weekly" aria-labelledby="h-weekly">
      <h2 id="h-weekly">{m.practices_weekly()}</h2>
      <p className="text-sm text-ink-soft mb-3">
        {m.practices_hours_text()}{" "}
        {data.minutes !== null && (
          <>
            {m.practices_visit_takes({ minutes: data.minutes })}{" "}
            <AnyLink to={href("/doctor/practices/:id", { id: data.id })}>{m.practices_change()}</AnyLink>
          </>
        )}
      </p>
      <WeeklyHoursForm
        form={form}
        spans={fields.hours.getFieldList().map((span) => span.getFieldset())}
        open={copied?.open ?? refused ?? data.open}
      />
    </section>
  );
}

const weekOf = (place: string, from?: string) =>
  `${href("/doctor/availability/week")}?${new URLSearchParams({ ...(from && { from }), place })}`;
function dayPage({ id, byHalfHours }: Data, { date, times }: Data["days"][number]): string {
  if (!byHalfHours) return weekOf(id, date);
  return times ? href("/doctor/availability/change/:date", { date }) : `${href("/doctor/availability/add")}?date=${date}`;
}

const SingleDays = ({ data }: { data: Data }) => (
  <section className="card" id="days" aria-labelledby="h-days">
    <h2 id="h-days">{m.practices_single_days()}</h2>
    {data.days.length === 0 && <p className="text-ink-soft">{m.practices_single_days_none()}</p>}
    <ul>
      {data.days.map((day) => (
        <li key={day.date} className="row border-b border-line py-2">
          <p className="grow">
            <b>{formatDay(day.date)}</b>
            <span className="block text-sm text-ink-soft">{changedDayWord(day)}</span>
          </p>
          <LinkButton to={dayPage(data, day)} variant="quiet" size="sm" aria-label={m.availability_change_of({ day: formatDay(day.date) })}>
            {m.availability_change()}
          </LinkButton>
        </li>
      ))}
    </ul>
    <LinkButton to={weekOf(data.id)} variant="second" size="sm" full icon="plus" className="mt-2">
      {m.practices_change_day()}
    </LinkButton>
    <LinkButton to={href("/doctor/availability/weekly")} variant="quiet" size="sm" full>
      {m.availability_weekly()}
    </LinkButton>
  </section>
);

const Leaves = ({ data: { leaves, place } }: { data: Data }) => (
  <section className="card" id="leave" aria-labelledby="h-leave">
    <h2 id="h-leave">{m.practices_leave()}</h2>
    {leaves.length === 0 && <p className="text-ink-soft">{m.practices_leave_none()}</p>}
    <ul className="space-y-4">
      {leaves.map((leave) => (
        <LeaveRow
          key={leave.id}
          leave={leave}
          place={leave.practiceId === null ? m.practices_everywhere() : (place ?? m.practices_no_place())}
        />
      ))}
    </ul>
    <LinkButton to={href("/doctor/leave/add")} variant="second" size="sm" full icon="plus" className="mt-2">
      {m.practices_leave_add()}
    </LinkButton>
  </section>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_hours_title() }) }];
