import { href } from "react-router";
import { WEEK } from "#app/domains/clinic/practices/components/hours-list.tsx";
import { SPANS, type Span } from "#app/domains/clinic/practices/hours.ts";
import { HoursSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { getPractice } from "#app/domains/clinic/practices/queries.server.ts";
import { setHours } from "#app/domains/clinic/practices/set-hours.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { partOfDay, weekdayLong } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { useCheckedForm } from "#app/ui/checked-form.ts";
import { Form, SubmitButton, TextField } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hours.ts";

export const handle = { bar: false };

type Times = { from: string; until: string };

/** Returns three spans for each weekday, Sunday first. A day with hours in the evening only has them in its second span. */
const asFields = (hours: Span[]): Times[] =>
  Array.from({ length: 7 * SPANS }, (_, n) => {
    const own = hours.filter(({ weekday }) => weekday === Math.floor(n / SPANS));
    const [first] = own;
    const skipped = first && partOfDay(first.from) === "evening" && own.length < SPANS ? 1 : 0;
    const span = own[(n % SPANS) - skipped];
    return { from: span?.from ?? "", until: span?.until ?? "" };
  });

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const { place, hours } = await getPractice(actorCtxOf(context), params.id);
  return { place, hours: asFields(hours), used: hours.length };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, HoursSchema, async (spans) => {
    await setHours(actorCtxOf(context), { id: params.id, spans });
    return redirectWithToast(href("/doctor/practices"), spans.length ? m.practices_hours_saved() : m.practices_hours_removed());
  });
}

export default function PracticeHours({ loaderData, actionData }: Route.ComponentProps) {
  const { place, hours } = loaderData;
  const [form, fields] = useCheckedForm<{ hours: Times[] }>({ id: "hours", lastResult: actionData?.result, defaultValue: { hours } });
  const spans = fields.hours.getFieldList();
  const words = [m.practices_span_first, m.practices_span_second, m.practices_span_third];
  return (
    <Page wizard title={m.practices_set_hours()} back={{ to: href("/doctor/practices"), label: m.practices_title() }}>
      <p className="mb-3">
        <b>{place ?? m.practices_no_place()}</b>
      </p>
      <p className="text-ink-soft mb-3">{m.practices_hours_text()}</p>
      <Form form={form}>
        {WEEK.map((weekday) => (
          <fieldset key={weekday} className="field">
            <legend>{weekdayLong(weekday)}</legend>
            {spans.slice(weekday * SPANS, weekday * SPANS + SPANS).map((span, i) => {
              const { from, until } = span.getFieldset();
              const row = (
                <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-x-3 gap-y-2 *:mt-0" key={span.key}>
                  <TextField field={from} type="time" label={m.practices_from({ span: words[i]!() })} />
                  <TextField field={until} type="time" label={m.practices_until({ span: words[i]!() })} />
                </div>
              );
              // The third span is rare.
              return i < SPANS - 1 ? (
                row
              ) : (
                <details key={span.key} open={Boolean(from.initialValue || from.errors || until.errors)}>
                  <summary>{m.practices_span_more()}</summary>
                  {row}
                </details>
              );
            })}
          </fieldset>
        ))}
        <p className="text-sm text-ink-soft mb-3">{m.practices_hours_keep()}</p>
        <Dock>
          <SubmitButton size="lg">{m.practices_hours_save()}</SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_set_hours() }) }];
