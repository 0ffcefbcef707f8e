import { href } from "react-router";
import { listFreeTimes } from "#app/domains/booking/appointments/free-times.server.ts";
import type { FreeTime } from "#app/domains/booking/appointments/proposal-times.ts";
import { readChoosing } from "#app/domains/clinic/practices/choosing.server.ts";
import { BOOKED_CHOICES, type Choosing, type ComingVisit } from "#app/domains/clinic/practices/coming-visit.ts";
import { listComingVisitsOf } from "#app/domains/clinic/practices/coming-visits.server.ts";
import { BookedVisits } from "#app/domains/clinic/practices/components/booked-visits.tsx";
import { enterLeave } from "#app/domains/clinic/practices/leave.server.ts";
import { leaveSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { listPractices } from "#app/domains/clinic/practices/queries.server.ts";
import { settledWords } from "#app/domains/clinic/practices/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SelectField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/add.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx) => {
  const places = (await listPractices(ctx)).map(({ id, place }) => ({ value: id, label: place ?? m.practices_no_place() }));
  return { today: todayInIndia(ctx.now), places };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, leaveSchema(todayInIndia(ctx.now)), async ({ intent, choose, otherDay, ...leave }, _form, again) => {
    const show = async () => {
      const visits = await listComingVisitsOf(ctx, leave);
      const of = { after: leave.until };
      return visits.length
        ? {
            visits,
            free: await listFreeTimes(ctx, { doctorId: ctx.actor.userId, ...of }),
            choosing: await readChoosing(ctx, visits, of, { choose, otherDay }),
          }
        : undefined;
    };
    // The first press shows which appointments are in the leave. Without any it is entered at once.
    const shown = intent === "look" || choose ? await show() : undefined;
    if (shown) return again(shown);
    const settled = await enterLeave(ctx, leave).catch(async (cause: unknown) => {
      if (!(cause instanceof DomainError && cause.code === "conflict")) throw cause;
      throw new DomainError("conflict", cause.sentence, { detail: await show(), cause });
    });
    return redirectWithToast(href("/doctor/practices"), [m.practices_leave_entered(), ...settledWords(settled)].join(" "));
  });
}

type Fields = { from: string; until: string; practiceId: string; note: string };

export default function LeaveAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { today, places } = loaderData;
  const [form, fields] = useNadiForm<Fields>({ id: "leave", lastResult: actionData?.result });
  const {
    visits,
    free = [],
    choosing,
  } = (actionData?.detail ?? {}) as {
    visits?: ComingVisit[];
    free?: FreeTime[];
    choosing?: Choosing | null;
  };
  return (
    <Page wizard title={m.practices_leave_add()} back={{ to: href("/doctor/practices"), label: m.practices_title() }}>
      <p className="text-ink-soft mb-3">{m.practices_leave_text()}</p>
      <Form form={form}>
        <div className="field mt-5 grid grid-cols-1 gap-x-4 gap-y-3 tab:grid-cols-2">
          <TextField field={fields.from} label={m.practices_leave_from()} type="date" min={today} />
          <TextField field={fields.until} label={m.practices_leave_until()} type="date" min={today} />
        </div>
        {places.length > 1 && (
          <SelectField field={fields.practiceId} label={m.practices_place()} placeholder={m.practices_everywhere()} options={places} />
        )}
        <TextField field={fields.note} label={m.practices_note()} hint={m.practices_note_hint()} optional maxLength={200} />
        {visits && (
          <section className="card mt-4" aria-labelledby="h-booked">
            <h2 id="h-booked">{m.practices_booked_title({ count: visits.length })}</h2>
            <Note tone="warn" className="mb-3 mt-2" role="status">
              {m.practices_booked_text()}
            </Note>
            <BookedVisits
              visits={visits}
              free={free}
              choices={BOOKED_CHOICES}
              choosing={choosing}
              sent={actionData?.result?.initialValue}
            />
          </section>
        )}
        <Dock>
          <SubmitButton name="intent" value={visits ? "enter" : "look"} size="lg">
            {m.practices_leave_yes()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_leave_add() }) }];
