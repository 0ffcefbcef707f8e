import { href } from "react-router";
import { closePractice } from "#app/domains/clinic/practices/close-practice.server.ts";
import { listComingVisitsOf } from "#app/domains/clinic/practices/coming-visits.server.ts";
import { BookedVisits } from "#app/domains/clinic/practices/components/booked-visits.tsx";
import { ClosePracticeSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { getPractice } from "#app/domains/clinic/practices/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { YesNo } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/close.ts";

export const handle = { bar: false };

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { id, isFirst, place } = await getPractice(ctx, params.id);
  if (isFirst) throw new DomainError("not-found");
  return { id, place, visits: await listComingVisitsOf(ctx, { practiceId: id }) };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, ClosePracticeSchema, async (input) => {
    const { cancelled } = await closePractice(actorCtxOf(context), { id: params.id, ...input });
    return redirectWithToast(
      href("/doctor/practices"),
      cancelled ? m.practices_closed_cancelled({ count: cancelled }) : m.practices_closed(),
    );
  });
}

export default function PracticeClose({ loaderData, actionData }: Route.ComponentProps) {
  const { id, place, visits } = loaderData;
  const [form] = useNadiForm({ id: "close", lastResult: actionData?.result });
  const back = href("/doctor/practices/:id", { id });
  return (
    <Page title={m.practices_close()} titleAs="p" back={{ to: back, label: place ?? m.practices_title() }}>
      <ConfirmCard
        icon="calendar-x"
        title={m.practices_close_question({ place: place ?? "" })}
        actions={
          <YesNo
            form={form}
            back={back}
            yes={visits.length ? m.practices_close_and_cancel({ count: visits.length }) : m.practices_close_yes()}
            no={m.practices_close_no()}
          >
            {visits.length > 0 && (
              <div className="full">
                <BookedVisits visits={visits} />
              </div>
            )}
          </YesNo>
        }
      >
        <p className="soft">{m.practices_close_text()}</p>
      </ConfirmCard>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_close() }) }];
