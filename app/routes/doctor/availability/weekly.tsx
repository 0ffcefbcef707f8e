import { useEffect, useRef } from "react";
import { href } from "react-router";
import { patternSchema } from "#app/domains/booking/availability/availability.schema.ts";
import { addSlots } from "#app/domains/booking/availability/change-slots.server.ts";
import { SlotChecks } from "#app/domains/booking/availability/components/slot-checks.tsx";
import { listSlotsBetween } from "#app/domains/booking/availability/queries.server.ts";
import { lastBookableDate, SLOT_TIMES } from "#app/domains/booking/availability/slots.ts";
import { expandPattern, type PatternDay, previewPattern } from "#app/domains/booking/availability/weekly-pattern.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { addDays, formatDay, formatTime, todayInIndia, weekdayLong } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { FieldError, Form, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import { DataTable } from "#app/ui/staff/table.tsx";
import type { Route } from "./+types/weekly.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const today = todayInIndia(ctx.now);
  const all = new URL(request.url).searchParams.get("select") === "all";
  return { today, last: lastBookableDate(today), until: addDays(today, 27), chosen: all ? [...SLOT_TIMES] : [] };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, patternSchema(todayInIndia(ctx.now)), async (pattern, _form, again) => {
    if (pattern.intent === "apply") {
      const added = await addSlots(ctx, expandPattern(pattern));
      return redirectWithToast(href("/doctor/availability"), m.availability_pattern_applied({ count: added }));
    }
    return again({ preview: previewPattern(pattern, await listSlotsBetween(ctx, pattern.from, pattern.until)) });
  });
}

type Fields = { from: string; until: string; weekdays: string[]; slots: string[]; except: string };

export default function AvailabilityWeekly({ loaderData, actionData }: Route.ComponentProps) {
  const { today, last, until, chosen } = loaderData;
  const [form, fields] = useNadiForm<Fields>({
    id: "weekly",
    lastResult: actionData?.result,
    defaultValue: { from: today, until, weekdays: ["1", "2", "3", "4", "5", "6"] },
  });
  const preview = (actionData?.detail as { preview?: PatternDay[] } | undefined)?.preview;
  const list = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : typeof value === "string" ? [value] : []);
  return (
    <Page wizard title={m.availability_weekly()} back={{ to: href("/doctor/availability"), label: m.availability_title() }}>
      <p className="text-ink-soft mb-3">{m.availability_weekly_text()}</p>
      <Form form={form}>
        <fieldset className="field" id={fields.weekdays.id} tabIndex={-1}>
          <legend>{m.availability_weekdays()}</legend>
          <div className="grid gap-2.5 *:min-w-0 grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))]">
            {[1, 2, 3, 4, 5, 6, 0].map((day) => (
              <Pick
                look="small"
                key={day}
                type="checkbox"
                name="weekdays"
                value={day}
                defaultChecked={list(fields.weekdays.initialValue).includes(String(day))}
              >
                {weekdayLong(day)}
              </Pick>
            ))}
          </div>
          <FieldError field={fields.weekdays} />
        </fieldset>
        <div className="field mt-5 grid grid-cols-1 gap-x-4 gap-y-3 tab:grid-cols-2">
          <TextField field={fields.from} label={m.availability_from()} type="date" min={today} max={last} />
          <TextField field={fields.until} label={m.availability_until()} type="date" min={today} max={last} />
        </div>
        <SlotChecks key={chosen.length} field={fields.slots} chosen={chosen} address={(select) => `?select=${select}`} />
        <TextArea field={fields.except} label={m.availability_leave()} hint={m.availability_leave_hint()} optional rows={2} />
        {preview && <Preview days={preview} />}
        <Dock>
          <SubmitButton name="intent" value="preview" variant="second" formAction={`${chosen.length ? "?select=all" : ""}#${PREVIEW}`}>
            {m.availability_preview()}
          </SubmitButton>
          <SubmitButton name="intent" value="apply" size="lg" className="grow" pendingText={m.availability_adding()}>
            {m.availability_apply()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

/**
 * The fragment of the preview. Without JavaScript a browser scrolls to it until the page has loaded; to an element with `autofocus` it
 * scrolls once, when the rest of the page may not have arrived.
 */
const PREVIEW = "preview";

/** The slots that the pattern would add, and those it leaves unchanged. */
function Preview({ days }: { days: PatternDay[] }) {
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to each new preview
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView();
  }, [days]);
  const added = days.reduce((sum, d) => sum + d.added.length, 0);
  return (
    <section ref={box} id={PREVIEW} className="card mt-4" aria-labelledby="h-preview" tabIndex={-1}>
      <h2 id="h-preview">{m.availability_preview_title()}</h2>
      <Note className="mt-2" role="status">
        {m.availability_preview_sum({ count: added, days: days.filter((d) => d.added.length > 0).length })}
      </Note>
      <div className="max-h-96 overflow-x-auto print:overflow-visible">
        <DataTable className="mt-2">
          <thead>
            <tr>
              <th scope="col">{m.availability_date()}</th>
              <th scope="col">{m.availability_preview_adds()}</th>
              <th scope="col">{m.availability_preview_keeps()}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <td>{formatDay(day.date)}</td>
                <td>{day.added.length ? day.added.map(formatTime).join(", ") : "–"}</td>
                <td>{day.unchanged.length ? day.unchanged.map(formatTime).join(", ") : "–"}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      </div>
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.availability_weekly() }) }];
