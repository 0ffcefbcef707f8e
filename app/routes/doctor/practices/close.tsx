import { href } from "react-router";
import { listFreeTimes } from "#app/domains/booking/appointments/free-times.server.ts";
import { readChoosing } from "#app/domains/clinic/practices/choosing.server.ts";
import { closePractice } from "#app/domains/clinic/practices/close-practice.server.ts";
import { BOOKED_CHOICES, type Choosing } from "#app/domains/clinic/practices/coming-visit.ts";
import { listComingVisitsOf } from "#app/domains/clinic/practices/coming-visits.server.ts";
import { BookedVisits } from "#app/domains/clinic/practices/components/booked-visits.tsx";
import { ClosePracticeSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { getPractice } from "#app/domains/clinic/practices/queries.server.ts";
import { settledWords } from "#app/domains/clinic/practices/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/close.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { id, isFirst, place } = await getPractice(ctx, params.id);
  if (isFirst) throw new DomainError("not-found");
  const visits = await listComingVisitsOf(ctx, { practiceId: id });
  const free = visits.length ? await listFreeTimes(ctx, { doctorId: ctx.actor.userId, notIn: id }) : [];
  return { id, place, visits, free };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, ClosePracticeSchema, async ({ choose, otherDay, ...input }, _form, again) => {
    const ctx = actorCtxOf(context);
    if (choose) {
      const { id } = await getPractice(ctx, params.id);
      return again({
        choosing: await readChoosing(ctx, await listComingVisitsOf(ctx, { practiceId: id }), { notIn: id }, { choose, otherDay }),
      });
    }
    const settled = await closePractice(ctx, { id: params.id, ...input });
    return redirectWithToast(href("/doctor/practices"), [m.practices_closed(), ...settledWords(settled)].join(" "));
  });
}

export default function PracticeClose({ loaderData, actionData }: Route.ComponentProps) {
  const { id, place, visits, free } = loaderData;
  const { choosing } = (actionData?.detail ?? {}) as { choosing?: Choosing | null };
  const back = href("/doctor/practices/:id", { id });
  return (
    <ConfirmPage
      title={m.practices_close()}
      back={{ to: back, label: place ?? m.practices_title() }}
      icon="calendar-x"
      question={m.practices_close_question({ place: place ?? "" })}
      answer={actionData}
      yes={m.practices_close_yes()}
      no={m.practices_close_no()}
      fields={
        visits.length > 0 && (
          <div className="full">
            <BookedVisits
              visits={visits}
              free={free}
              choices={BOOKED_CHOICES.filter((choice) => choice !== "keep")}
              choosing={choosing}
              sent={actionData?.result?.initialValue}
            />
          </div>
        )
      }
    >
      <p className="text-ink-soft">{m.practices_close_text()}</p>
    </ConfirmPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_close() }) }];
