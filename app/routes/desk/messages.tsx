import { data, href } from "react-router";
import { answerAsMember, handBack } from "#app/domains/messages/inbox/answer-as-member.server.ts";
import { bookedWord, Talk, ThreadList } from "#app/domains/messages/inbox/components/talk.tsx";
import { InboxAnswerSchema } from "#app/domains/messages/inbox/inbox.schema.ts";
import { inboxStatistics, listThreads, openThread } from "#app/domains/messages/inbox/queries.server.ts";
import { mayActFor } from "#app/domains/places/members/acting.server.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink } from "#app/ui/button.tsx";
import { Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { deskOf } from "../agenda/desk.server.ts";
import type { Route } from "./+types/messages.ts";

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  if (!env().hasConversations) throw new DomainError("not-found");
  const { headers, ctx, place, doctors, owner } = await deskWithRole(context, request);
  const desk = { hospitalId: place.id, doctorIds: doctors.map(({ id }) => id) };
  const all = new URL(request.url).searchParams.has("all");
  const open = params.id === undefined ? null : await openThread(ctx, desk, params.id);
  const [threads, statistics] = await Promise.all([listThreads(ctx, desk, all), inboxStatistics(ctx, place.id)]);
  const { cost, ...counts } = statistics;
  return data(
    {
      ...{ place, all, threads, open, owner, key: randomToken(), today: todayInIndia(ctx.now) },
      statistics: { ...counts, cost: owner && cost !== null ? formatRupees(cost) : null },
    },
    { headers },
  );
});

/** The cost is for owners. */
async function deskWithRole(context: Route.LoaderArgs["context"], request: Request) {
  const desk = await deskOf(context, request);
  const acting = await mayActFor(desk.ctx, desk.place.id, "see-figures");
  return { ...desk, owner: acting !== null };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const { ctx, place } = await orRefuse(() => {
    if (!env().hasConversations) throw new DomainError("not-found");
    return deskOf(context, request);
  });
  const of = { hospitalId: place.id, threadId: params.id };
  return submitForm(request, InboxAnswerSchema, async (input) => {
    if (input.intent === "hand-back") {
      await handBack(ctx, of);
      return redirectWithToast(href("/desk/messages"), m.inbox_handed_back());
    }
    await answerAsMember(ctx, of, input);
    return redirectWithToast(href("/desk/messages"), m.inbox_sent());
  });
}

/** Conversations by SMS and WhatsApp that wait for the clinic. On a phone the list and a conversation are two pages. */
export default function Messages({ loaderData, actionData }: Route.ComponentProps) {
  const { place, all, threads, open, owner, key, statistics, today } = loaderData;
  return (
    <Page wide="desk" title={m.inbox_title()} {...(open && { back: { to: href("/desk/messages"), label: m.inbox_back() } })}>
      <div className="grid items-start gap-4 desktop:grid-cols-[18rem_1fr]">
        <Card as="section" className={open ? "hidden desktop:block" : ""} aria-labelledby="h-threads">
          <h2 id="h-threads">{all ? m.inbox_all() : m.inbox_waiting({ count: threads.length })}</h2>
          <p className="text-sm text-ink-soft mb-3">{bookedWord(statistics)}</p>
          <ThreadList threads={threads} current={open?.thread.id ?? null} all={all} today={today} />
          {owner && (
            <p className="mt-3">
              <AnyLink to={href("/desk/messages/keywords")}>{m.keyword_title()}</AnyLink>
            </p>
          )}
        </Card>
        {open ? (
          <Talk key={open.thread.id} {...open} place={place.name} formKey={key} result={actionData?.result ?? null} />
        ) : (
          threads.length > 0 && <p className="hidden desktop:block text-ink-soft">{m.inbox_choose()}</p>
        )}
      </div>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.inbox_title() }) }];
