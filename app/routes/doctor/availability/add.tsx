import { useEffect, useMemo, useState } from "react";
import { href, useFetcher } from "react-router";
import { addDaySchema } from "#app/domains/booking/availability/availability.schema.ts";
import { addSlots } from "#app/domains/booking/availability/change-slots.server.ts";
import { SlotChecks } from "#app/domains/booking/availability/components/slot-checks.tsx";
import { listSlotDays } from "#app/domains/booking/availability/queries.server.ts";
import { lastBookableDate, SLOT_TIMES } from "#app/domains/booking/availability/slots.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDay, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, IconButton } from "#app/ui/button.tsx";
import { useCheckedForm } from "#app/ui/checked-form.ts";
import { type Field, Form, SubmitButton, TextField } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { validateWith } from "#app/ui/validate.ts";
import type { Route } from "./+types/add.ts";

export const handle = { bar: false };

const HERE = href("/doctor/availability/add");

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const today = todayInIndia(ctx.now);
  const last = lastBookableDate(today);
  const query = new URL(request.url).searchParams;
  const date = query.get("date") ?? "";
  // Slots that the chosen day has already.
  const bookable = isDateKey(date) && date >= today && date <= last;
  const [day] = bookable ? (await listSlotDays(ctx, { from: date, limit: 1 })).days : [];
  const select = query.get("select");
  return {
    today,
    last,
    date: isDateKey(date) ? date : "",
    there: bookable ? { date, slots: day?.date === date ? day.slots : [] } : null,
    chosen: select === "all" ? [...SLOT_TIMES] : select === "none" ? [] : SLOT_TIMES.filter((time) => query.getAll("slots").includes(time)),
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, addDaySchema(todayInIndia(ctx.now)), async ({ date, slots }) => {
    await addSlots(ctx, [{ date, times: slots }]);
    return redirectWithToast(href("/doctor/availability"), m.availability_added());
  });
}

type Data = Route.ComponentProps["loaderData"];

export default function AvailabilityAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { today, last, date, chosen } = loaderData;
  const correct = useMemo(() => validateWith(addDaySchema(today)), [today]);
  const [form, fields] = useCheckedForm<{ date: string; slots: string[] }>({
    id: "add",
    lastResult: actionData?.result,
    defaultValue: { date },
    correct,
  });
  const { typed, there, setTyped, change } = useDay(String(fields.date.initialValue ?? date), loaderData);
  const [ticked, setTicked] = useState(chosen.length);
  const hydrated = useHydrated();
  // What was typed before the scripts were there.
  useEffect(() => {
    const form = document.getElementById("add");
    if (!(form instanceof HTMLFormElement)) return;
    const data = new FormData(form);
    setTicked(data.getAll("slots").length);
    setTyped(String(data.get("date") ?? ""));
  }, [setTyped]);
  const ready = typed !== "" && ticked > 0 && Object.keys(form.allErrors).length === 0;
  return (
    <Page
      wizard
      back={{ to: href("/doctor/availability"), label: m.availability_title() }}
      actions={<IconButton to={href("/doctor")} icon="house" label={m.ui_place_home()} />}
    >
      {/* The top bar of a phone has four icons and no space for it. */}
      <h1 className="mb-3">{m.availability_add()}</h1>
      <Form form={form} wrong={m.availability_fix_first()}>
        {dateField({ field: fields.date, today, last, onDate: change, onBlur: () => form.validate({ name: fields.date.name }) })}
        <p className="text-sm text-ink-soft mt-2 mb-3" role="status">
          {there && there.slots.length > 0 && m.availability_day_has({ day: formatDay(there.date), count: there.slots.length })}
        </p>
        <SlotChecks
          key={chosen.join()}
          field={fields.slots}
          chosen={chosen}
          there={there?.slots ?? []}
          address={(select) => `?${new URLSearchParams({ select, ...(typed && { date: typed }) })}`}
          onTicked={(count) => {
            setTicked(count);
            if (count === 0) form.validate({ name: fields.slots.name });
          }}
        />
        <Dock>
          {/* Spec 000 §5. Without scripts the server says what is wrong. */}
          <SubmitButton size="lg" full pendingText={m.availability_adding()} disabled={hydrated && !ready}>
            {m.availability_add()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

/** The typed date with its slots, which load when another day is typed. */
function useDay(initial: string, { there, today, last }: Data) {
  const days = useFetcher<typeof loader>();
  const [typed, setTyped] = useState(initial);
  const change = (to: string) => {
    setTyped(to);
    if (isDateKey(to) && to >= today && to <= last) void days.load(`${HERE}?date=${to}`);
  };
  return { typed, setTyped, change, there: [days.data?.there, there].find((day) => day?.date === typed) };
}

/** A function, not a component, because the summary of errors finds the labels of fields only in what the page wrote (ui/error-summary.tsx). */
const dateField = ({
  field,
  today,
  last,
  onDate,
  onBlur,
}: { field: Field; onDate: (date: string) => void; onBlur: () => void } & Pick<Data, "today" | "last">) => (
  <>
    <TextField
      field={field}
      label={m.availability_date()}
      hint={m.availability_date_hint()}
      type="date"
      min={today}
      max={last}
      onChange={(event) => onDate(event.currentTarget.value)}
      onBlur={onBlur}
    />
    {/* With JavaScript the slots load when a day is chosen. */}
    <noscript>
      <Button type="submit" variant="second" size="sm" formMethod="get" formAction={HERE} className="mt-2">
        {m.availability_show_day()}
      </Button>
    </noscript>
  </>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.availability_add() }) }];
