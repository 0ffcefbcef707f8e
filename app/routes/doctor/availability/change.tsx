import { href } from "react-router";
import { ChangeDaySchema } from "#app/domains/booking/availability/availability.schema.ts";
import { type BookedSlots, setDaySlots } from "#app/domains/booking/availability/change-slots.server.ts";
import { BookedNote } from "#app/domains/booking/availability/components/booked-note.tsx";
import { SlotChecks } from "#app/domains/booking/availability/components/slot-checks.tsx";
import { listSlotDays } from "#app/domains/booking/availability/queries.server.ts";
import { SLOT_TIMES } from "#app/domains/booking/availability/slots.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatDayLong, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/change.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const { date } = params;
  if (!isDateKey(date) || date < todayInIndia(ctx.now)) throw new DomainError("not-found");
  const { days } = await listSlotDays(ctx, { from: date, limit: 1 });
  const slots = days[0]?.date === date ? days[0].slots : [];
  const booked = slots.filter((s) => s.booked).map((s) => s.time);
  const select = new URL(request.url).searchParams.get("select");
  const chosen = select === "all" ? [...SLOT_TIMES] : select === "none" ? booked : slots.map((s) => s.time);
  return { date, chosen, booked, empty: slots.length === 0 };
});

export const action = submitOwn(ChangeDaySchema, async (ctx, { slots }, { params }: Route.ActionArgs) => {
  await setDaySlots(ctx, { date: params.date, slots });
  return redirectWithToast(href("/doctor/availability"), m.availability_updated());
});

export default function AvailabilityChange({ loaderData, actionData }: Route.ComponentProps) {
  const { date, chosen, booked, empty } = loaderData;
  const [form, fields] = useNadiForm<{ slots: string[] }>({ id: "change", lastResult: actionData?.result });
  const here = href("/doctor/availability/change/:date", { date });
  const detail = actionData?.detail as BookedSlots | undefined;
  return (
    <Page
      wizard
      title={m.availability_change_title()}
      titleAs="p"
      back={{ to: href("/doctor/availability"), label: m.availability_title() }}
    >
      <h1>{formatDayLong(date)}</h1>
      {empty && <p className="text-ink-soft mb-3">{m.availability_no_slots_set()}</p>}
      {detail?.booked && <BookedNote booked={detail.booked} />}
      <Form form={form}>
        <SlotChecks
          key={chosen.join()}
          field={fields.slots}
          chosen={chosen}
          booked={booked}
          address={(select) => `${here}?select=${select}`}
        />
        <Dock>
          <LinkButton to={here} variant="quiet" reloadDocument>
            {m.availability_reset()}
          </LinkButton>
          <SubmitButton size="lg" className="grow" pendingText={m.availability_updating()}>
            {m.availability_confirm()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.availability_change_title() }) }];
