import { addDaySchema } from "#app/domains/availability/availability.schema.ts";
import { addSlots } from "#app/domains/availability/change-slots.server.ts";
import { SlotChecks } from "#app/domains/availability/components/slot-checks.tsx";
import { lastBookableDate, SLOT_TIMES } from "#app/domains/availability/slots.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { IconButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/add.ts";

export const handle = { bar: false };

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const today = todayInIndia(actorCtxOf(context).now);
  const query = new URL(request.url).searchParams;
  const date = query.get("date") ?? "";
  return {
    today,
    last: lastBookableDate(today),
    date: isDateKey(date) ? date : "",
    chosen: query.get("select") === "all" ? [...SLOT_TIMES] : [],
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, addDaySchema(todayInIndia(ctx.now)), async ({ date, slots }) => {
    await addSlots(ctx, [{ date, times: slots }]);
    return redirectWithToast("/doctor/availability", m.availability_added());
  });
}

export default function AvailabilityAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { today, last, date, chosen } = loaderData;
  const [form, fields] = useNadiForm<{ date: string; slots: string[] }>({
    id: "add",
    lastResult: actionData?.result,
    defaultValue: { date },
  });
  return (
    <Page
      wizard
      back={{ to: "/doctor/availability", label: m.availability_title() }}
      actions={<IconButton to="/doctor" icon="house" label={m.ui_place_home()} />}
    >
      {/* Beside four icons there is no room for it on a phone. */}
      <h1 className="mb">{m.availability_add()}</h1>
      <Form form={form} wrong={m.availability_fix_first()}>
        <TextField field={fields.date} label={m.availability_date()} hint={m.availability_date_hint()} type="date" min={today} max={last} />
        <SlotChecks key={chosen.length} field={fields.slots} chosen={chosen} address={(select) => `?select=${select}`} />
        <Dock>
          <SubmitButton size="lg" full pendingText={m.availability_adding()}>
            {m.availability_add()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.availability_add() }) }];
