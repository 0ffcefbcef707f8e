import { data, href } from "react-router";
import { weekChangeSchema } from "#app/domains/booking/availability/availability.schema.ts";
import { addSlots, closeSlot } from "#app/domains/booking/availability/change-slots.server.ts";
import { listSlotsBetween } from "#app/domains/booking/availability/queries.server.ts";
import { EVENING_TIMES, lastBookableDate, SLOT_TIMES } from "#app/domains/booking/availability/slots.ts";
import { listPractices } from "#app/domains/clinic/practices/queries.server.ts";
import { WeekGrid, WeekLines } from "#app/domains/clinic/week/components/week-grid.tsx";
import { getWeek } from "#app/domains/clinic/week/queries.server.ts";
import { oneWeekLater, weekIn } from "#app/domains/clinic/week/week.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { addDays, formatDate, formatDayShort, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, IconButton, LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { Form, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/week.ts";

const addressOf = (monday: string, place?: string | null) =>
  `${href("/doctor/availability/week")}?${new URLSearchParams({ from: monday, ...(place && { place }) })}`;
const placeIn = (request: Request) => new URL(request.url).searchParams.get("place");
function mondayOf(request: Request, now: Date): string {
  const today = todayInIndia(now);
  return weekIn(new URL(request.url).searchParams.get("from"), today, lastBookableDate(today));
}

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const today = todayInIndia(ctx.now);
  const monday = mondayOf(request, ctx.now);
  const last = lastBookableDate(today);
  const open = (await listPractices(ctx)).filter(({ state }) => state === "active").map(({ id, place }) => ({ id, place }));
  const asked = placeIn(request);
  return {
    monday,
    days: await getWeek(ctx, monday, open),
    places: open.length > 1 ? open : [],
    /** The practice whose times a press opens. */
    practice: open.find(({ id }) => id === asked)?.id ?? ctx.actor.userId,
    now: minuteInIndia(ctx.now),
    previous: monday > today ? addDays(monday, -7) : null,
    next: addDays(monday, 7) <= last ? addDays(monday, 7) : null,
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const today = todayInIndia(ctx.now);
  const monday = mondayOf(request, ctx.now);
  return submitForm(request, weekChangeSchema(today), async (change) => {
    if (change.intent === "copy") {
      const before = await listSlotsBetween(ctx, addDays(monday, -7), addDays(monday, -1));
      const days = oneWeekLater(before, today).filter(({ date }) => date <= lastBookableDate(today));
      const count = days.length ? await addSlots(ctx, days) : 0;
      return redirectWithToast(addressOf(monday, placeIn(request)), m.week_copied({ count }));
    }
    const { date, time } = change;
    if (change.intent === "open") await addSlots(ctx, [{ date, times: [time] }], { practiceId: change.practiceId });
    else await closeSlot(ctx, { date, time });
    // Scripts stay on the page. Without them the page opens again at the pressed time.
    return request.headers.get("accept")?.includes("text/html")
      ? redirectTo(`${addressOf(monday, placeIn(request))}#t-${date}-${time}`)
      : data({ result: {} });
  });
}

export default function AvailabilityWeek({ loaderData, actionData }: Route.ComponentProps) {
  const { monday, days, places, practice, now, previous, next } = loaderData;
  const [form] = useNadiForm({ id: "copy", lastResult: actionData?.result });
  const chosen = places.length ? practice : null;
  const here = addressOf(monday, chosen);
  return (
    <Page wide="desk" title={m.week_title()} back={{ to: href("/doctor/availability"), label: m.availability_title() }}>
      <div className="row flex-wrap mb-3">
        {previous && <IconButton icon="chevron-left" to={addressOf(previous, chosen)} label={m.week_previous()} />}
        <h2>{m.week_span({ from: formatDayShort(monday), to: formatDate(addDays(monday, 6)) })}</h2>
        {next && <IconButton icon="chevron-right" to={addressOf(next, chosen)} label={m.week_next()} />}
        <span className="grow" />
        <LinkButton to={href("/doctor/practices/:id/hours", { id: practice })} variant="quiet" size="sm">
          {m.practices_hours_title()}
        </LinkButton>
        <Form form={form} action={here}>
          <SubmitButton name="intent" value="copy" variant="second" size="sm">
            {m.week_copy()}
          </SubmitButton>
        </Form>
      </div>
      {places.length > 0 && (
        <nav className="chips mb-3" aria-label={m.practices_place()}>
          {places.map(({ id, place }) => (
            <AnyLink key={id} className="chip" to={addressOf(monday, id)} aria-current={id === practice ? "true" : undefined}>
              {place ?? m.practices_no_place()}
            </AnyLink>
          ))}
        </nav>
      )}
      <WeekGrid days={days} usual={[...SLOT_TIMES, ...EVENING_TIMES]} here={here} practiceId={practice} now={now} />
      <WeekLines days={days} />
      <p className="text-sm text-ink-soft mt-2">{m.week_hint()}</p>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.week_title() }) }];
